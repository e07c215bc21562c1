package io.tailrace.bench.replay;

/** Counts durations in buckets an eighth of a power of two wide: quantiles within 9 %, in constant memory. */
final class Durations {
    private static final int STEPS_LOG = 3;
    private static final int BUCKETS = 64 << STEPS_LOG;

    private final long[] counts = new long[BUCKETS];
    private long total;

    void add(long nanos) {
        counts[bucket(Math.max(1, nanos))]++;
        total++;
    }

    Durations plus(Durations other) {
        Durations sum = new Durations();
        for (int i = 0; i < BUCKETS; i++) {
            sum.counts[i] = counts[i] + other.counts[i];
        }
        sum.total = total + other.total;
        return sum;
    }

    /** Nanoseconds that the given share of the durations does not pass, 0 if there are none. */
    double quantile(double share) {
        long rank = (long) Math.ceil(share * total);
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (counts[i] > 0 && seen >= rank) {
                return (lowest(i) + lowest(i + 1)) / 2.0;
            }
        }
        return 0;
    }

    private static int bucket(long nanos) {
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        long fraction = power >= STEPS_LOG ? nanos >>> (power - STEPS_LOG) : nanos << (STEPS_LOG - power);
        return (power << STEPS_LOG) + (int) (fraction & ((1 << STEPS_LOG) - 1));
    }

    private static double lowest(int bucket) {
        double within = 1 + (bucket & ((1 << STEPS_LOG) - 1)) / (double) (1 << STEPS_LOG);
        return Math.scalb(within, bucket >>> STEPS_LOG);
    }
}
