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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Sidecar files. Of {@linkplain FuzzedFile forged} ones length and checksum are right. */
class SidecarFileFuzzTest {
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
                .flatMap(entries -> FuzzedFile.seeds(written(new Sidecar("ab".repeat(32), entries))));
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

    @MethodSource("seeds")
    @FuzzTest
    void aSidecarIsReadOrRefused(byte[] data) throws Exception {
        FuzzedFile fuzzed = FuzzedFile.of(data);
        byte[] bytes = fuzzed.bytes();
        if (fuzzed.forged() && bytes.length >= AT_FILE_BYTES + Long.BYTES + Integer.BYTES) {
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
