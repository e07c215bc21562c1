package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedReadsTest {
    private static final int BYTES = 1 << 20;
    private static final int FILES = 100;
    private static final int READS = 5_000;

    @TempDir
    private Path folder;

    /** From interpreted code at first, from compiled code later. */
    @Test
    void aReadOfAFileThatWasTruncatedShowsAtOnce() throws IOException {
        long sum = 0;
        for (int i = 0; i < FILES; i++) {
            Path file = Files.write(folder.resolve("file" + i), new byte[BYTES]);
            ByteBuffer mapped = map(file);
            for (int read = 0; read < READS; read++) {
                sum += read(mapped, read * 8);
            }
            truncate(file);
            assertThatThrownBy(() -> read(mapped, 3 * 4_096)).as("file %d", i).isInstanceOf(InternalError.class);
        }
        assertThat(sum).isZero();
    }

    private static long read(ByteBuffer mapped, int at) {
        long read = mapped.getLong(at);
        MappedReads.await();
        return read;
    }

    private static ByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES);
        }
    }

    private static void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }
}
