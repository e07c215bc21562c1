package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an earlier process left in a spool's folder: 24 bytes of cursor, then a file. The first byte says whether there is a cursor, and whether
 * checksums are made right for what there is: nobody guesses one.
 */
class SpoolFuzzTest {
    private static final int WITH_CURSOR = 1;
    private static final int FORGED = 2;
    private static final int CURSOR_BYTES = 24;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        byte[] first = record("generations", new byte[] {1, 2}, new byte[20]);
        byte[] second = record("outcomes", new byte[0], new byte[] {3});
        return Stream.of(0, WITH_CURSOR, FORGED, WITH_CURSOR | FORGED)
                .flatMap(flags -> Stream.of(-1L, 3L, 4L, Long.MAX_VALUE).map(file -> {
                    ByteBuffer seed = ByteBuffer.allocate(
                            1 + CURSOR_BYTES + SpoolFormat.MAGIC.length + first.length + second.length);
                    seed.put(flags.byteValue()).putLong(file).putLong(SpoolFormat.MAGIC.length + first.length);
                    seed.putLong(checksum(seed, 1, 16) & 0xFFFFFFFFL);
                    seed.put(SpoolFormat.MAGIC).put(first).put(second);
                    return seed.array();
                }));
    }

    private static byte[] record(String topic, byte[] key, byte[] value) {
        ByteBuffer encoded = SpoolFormat.encode(new Spool.Entry(topic, key, value));
        byte[] record = new byte[encoded.remaining()];
        encoded.get(record);
        return record;
    }

    @MethodSource("seeds")
    @FuzzTest
    void whatWasLeftIsReadOrCutOff(byte[] data) throws Exception {
        if (data.length <= CURSOR_BYTES) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOfRange(data, 1, data.length));
        if ((data[0] & FORGED) != 0) {
            forge(bytes);
        }
        AllocationLimit.check(data.length, () -> {
            leave(bytes.array(), (data[0] & WITH_CURSOR) != 0);
            try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
                read(spool);
            }
            return null;
        });
    }

    private static void leave(byte[] bytes, boolean withCursor) throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
        if (withCursor) {
            Files.write(folder.resolve("cursor"), Arrays.copyOf(bytes, CURSOR_BYTES));
        }
        Files.write(folder.resolve("0000000000000003.spool"), Arrays.copyOfRange(bytes, CURSOR_BYTES, bytes.length));
    }

    /** Every record comes once, or is counted; the spool is empty behind them, and takes new ones. */
    private static void read(Spool spool) throws IOException, InterruptedException {
        long pending = spool.pendingRecords();
        long read = 0;
        for (Spool.Batch batch = spool.peek(3, 1 << 10, 0); batch != null; batch = spool.peek(3, 1 << 10, 0)) {
            for (Spool.Entry entry : batch.entries()) {
                ByteBuffer encoded = SpoolFormat.encode(entry);
                assertThat(SpoolFormat.intactBytes(encoded)).isEqualTo(encoded.remaining());
            }
            spool.advance(batch, batch.size());
            read += batch.size();
        }
        assertThat(read + spool.droppedRecords()).isEqualTo(pending);
        assertThat(spool.pendingRecords()).isZero();
        Spool.Entry next = new Spool.Entry("topic", new byte[] {1}, new byte[] {2});
        spool.append(next);
        assertThat(spool.peek(1, 1, 0).entries().get(0).value()).isEqualTo(next.value());
    }

    /** Makes the checksums right of the cursor and of the records, as far as their lengths show where they are. */
    private static void forge(ByteBuffer bytes) {
        bytes.putLong(16, checksum(bytes, 0, 16) & 0xFFFFFFFFL);
        int at = CURSOR_BYTES + SpoolFormat.MAGIC.length;
        while (at + SpoolFormat.PREFIX_BYTES <= bytes.limit()) {
            int payload = bytes.getInt(at);
            int from = at + SpoolFormat.PREFIX_BYTES;
            if (payload < 0 || payload > bytes.limit() - from) {
                return;
            }
            bytes.putInt(at + 4, checksum(bytes, from, payload));
            at = from + payload;
        }
    }

    private static int checksum(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }
}
