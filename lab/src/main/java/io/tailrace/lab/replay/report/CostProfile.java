package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayTally;
import java.util.Locale;

/**
 * What steps cost on somebody's server: assumptions by which a replay's counts become times. Nothing of it is measured.
 *
 * @param name for people
 * @param stepMicros how long a step takes in which each request gets one token
 * @param batch requests that share a step
 * @param curve time of a step by the tokens it verifies for a request
 */
record CostProfile(String name, long stepMicros, int batch, AssumedCost curve) {
    private static final double MICROS_AN_HOUR = 3.6e9;

    /** Said with every figure that comes from it. */
    String assumptions() {
        double eight = curve.time(9);
        return String.format(
                Locale.ROOT,
                "a step of one token takes %.1f ms, %d requests share it, and verifying 8 more tokens makes it %.2f times as long",
                stepMicros / 1e3,
                batch,
                eight);
    }

    double plainMillis() {
        return stepMicros / 1e3;
    }

    /** Of an output token, with drafts. */
    double millis(ReplayTally tally) {
        return plainMillis() / tally.speedUp(curve);
    }

    /** Of a GPU, for a million output tokens without drafts. */
    double plainHours() {
        return 1e6 * stepMicros / batch / MICROS_AN_HOUR;
    }

    /** What drafts save of those. */
    double savedHours(ReplayTally tally) {
        return plainHours() * (1 - 1 / tally.speedUp(curve));
    }
}
