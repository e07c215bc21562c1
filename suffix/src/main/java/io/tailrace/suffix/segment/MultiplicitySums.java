package io.tailrace.suffix.segment;

import io.tailrace.suffix.order.CoLexOrder;
import java.util.Arrays;

/**
 * Prefix sums of multiplicities along both orders: entry i is the sum over the first {@code 64 * i} positions.
 *
 * <p>Most documents stand for one generation. Positions of the others have a bit each, which stays cached while orders are walked at
 * random; only behind a set bit the multiplicity is looked up.
 */
record MultiplicitySums(long[] ofOrder, long[] ofEnds) {
    static final MultiplicitySums NONE = new MultiplicitySums(new long[0], new long[0]);

    static MultiplicitySums of(CoLexOrder order, int[] documentStarts, int[] multiplicities) {
        int length = documentStarts[multiplicities.length];
        long[] repeated = new long[(length >>> 6) + 1];
        int[] multiplicityAt = new int[length];
        for (int document = 0; document < multiplicities.length; document++) {
            if (multiplicities[document] > 1) {
                int from = documentStarts[document];
                int to = documentStarts[document + 1];
                Arrays.fill(multiplicityAt, from, to, multiplicities[document]);
                for (int position = from; position < to; position++) {
                    repeated[position >>> 6] |= 1L << position;
                }
            }
        }
        return new MultiplicitySums(
                sums(order.order(), repeated, multiplicityAt), sums(order.ends(), repeated, multiplicityAt));
    }

    private static long[] sums(int[] positions, long[] repeated, int[] multiplicityAt) {
        long[] sums = new long[SegmentHeader.sums(positions.length)];
        long sum = 0;
        for (int i = 0; i < positions.length; i++) {
            if (i % SegmentHeader.SUM_STRIDE == 0) {
                sums[i / SegmentHeader.SUM_STRIDE] = sum;
            }
            int position = positions[i];
            sum += (repeated[position >>> 6] & (1L << position)) == 0 ? 1 : multiplicityAt[position];
        }
        if (positions.length % SegmentHeader.SUM_STRIDE == 0) {
            sums[sums.length - 1] = sum;
        }
        return sums;
    }
}
