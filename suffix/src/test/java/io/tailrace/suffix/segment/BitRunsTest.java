package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BitRunsTest {
    /** The row ends with the run, so nothing behind it may be read or written. */
    @Test
    void aRunOfAnyLengthAtAnyBitIsReadAndWrittenAsBitByBit() {
        Random random = new Random(7);
        for (int length = 0; length <= 130; length++) {
            for (int from = 0; from < 64 + 64; from++) {
                long[] row = random.longs((from + length + 63) / 64).toArray();
                BitSet run = BitSet.valueOf(row).get(from, from + length);
                assertThat(BitRuns.read(LongBuffer.wrap(row), from, length))
                        .as("%d bits from %d on", length, from)
                        .isEqualTo(run);

                BitSet other = BitSet.valueOf(random.longs(row.length).toArray());
                long[] written = Arrays.copyOf(other.toLongArray(), row.length);
                BitRuns.write(run, written, from);
                for (int bit = run.nextSetBit(0); bit >= 0; bit = run.nextSetBit(bit + 1)) {
                    other.set(from + bit);
                }
                assertThat(BitSet.valueOf(written))
                        .as("%d bits from %d on", length, from)
                        .isEqualTo(other);
            }
        }
    }
}
