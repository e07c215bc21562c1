package io.tailrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelsTest {
    @Test
    void checkedInKernelsAreThoseOfTheSources() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Path file : sources()) {
            String name = NativeProgram.CUDA.relativize(file).toString().replace('\\', '/');
            digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .as("sources changed since the kernels were compiled: run gpu/build.sh")
                .isEqualTo(Kernels.sourceSha256());
    }

    @Test
    void theBinaryIsTheOneThatWasBuilt() throws Exception {
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(Kernels.binary());
        assertThat(HexFormat.of().formatHex(sha256)).isEqualTo(Kernels.binarySha256());
    }

    private static List<Path> sources() throws IOException {
        try (var files = Files.walk(NativeProgram.CUDA)) {
            return files.filter(Files::isRegularFile)
                    .sorted((a, b) -> a.toString().compareTo(b.toString()))
                    .toList();
        }
    }
}
