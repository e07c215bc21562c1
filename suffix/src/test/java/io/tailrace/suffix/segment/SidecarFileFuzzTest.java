package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Sidecar files. Where the first byte says so, length and checksum are made right for what the rest of the input holds. */
class SidecarFileFuzzTest {
    private static final byte FORGED = 1;
    private static final int AT_FILE_BYTES = 12;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        GenerationEntry first = new GenerationEntry(1, 2, "gateway", 3);
        GenerationEntry second = new GenerationEntry(4, 5, "é", 6);
        return Stream.of(
                        List.<List<GenerationEntry>>of(),
                        List.of(List.of(first)),
                        List.of(List.of(first, second), List.of(second)))
                .flatMap(entries -> {
                    byte[] intact = written(new Sidecar("ab".repeat(32), entries));
                    return Stream.of(concat((byte) 0, intact), concat(FORGED, intact));
                });
    }

    private static byte[] written(Sidecar sidecar) {
        try {
            Path file = folder.resolve("written");
            Files.deleteIfExists(file);
            SidecarFormat.write(sidecar, file);
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] concat(byte first, byte[] rest) {
        byte[] both = new byte[rest.length + 1];
        both[0] = first;
        System.arraycopy(rest, 0, both, 1, rest.length);
        return both;
    }

    @MethodSource("seeds")
    @FuzzTest
    void aSidecarIsReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
        if (data[0] == FORGED && bytes.length >= AT_FILE_BYTES + Long.BYTES + Integer.BYTES) {
            ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int checksumAt = bytes.length - Integer.BYTES;
            file.putLong(AT_FILE_BYTES, bytes.length);
            file.putInt(checksumAt, SegmentFormat.crc(file.slice(0, checksumAt)));
        }
        Path file = Files.write(folder.resolve("fuzzed"), bytes);
        Sidecar sidecar;
        try {
            sidecar = AllocationLimit.check(bytes.length, () -> Sidecar.read(file));
        } catch (CorruptSegmentException refused) {
            assertThat(refused).hasMessageContainingAll(file.toString(), "at offset", "expected", "got");
            return;
        }
        Files.write(file, written(sidecar));
        assertThat(Sidecar.read(file)).isEqualTo(sidecar);
    }
}
