package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayTally;
import java.util.Locale;

/**
 * What steps cost on somebody's server: assumptions by which a replay's counts become times. Nothing of it is measured.
 *
 * @param name for people
 * @param stepMicros how long a step takes in which each request gets one token
 * @param cost of verifying more
 */
record CostProfile(String name, long stepMicros, AssumedCost cost) {
    private static final double MICROS_AN_HOUR = 3.6e9;

    /** Said with every figure that comes from it; how much longer a step takes is said for so many draft tokens. */
    String assumptions(int drafted) {
        String each = cost.batch() == 1 ? "one request has it to itself" : cost.batch() + " requests share it";
        return String.format(
                Locale.ROOT,
                "a step takes %.1f ms, %s, and verifying %d more tokens%s makes it %.2f times as long",
                stepMicros / 1e3,
                each,
                drafted,
                cost.batch() == 1 ? "" : " for each",
                cost.slowDown(drafted));
    }

    double plainMillis() {
        return stepMicros / 1e3;
    }

    double speedUp(ReplayTally tally) {
        return tally.speedUp(cost);
    }

    /** Where a request has its steps to itself. */
    double speedUpAlone(ReplayTally tally) {
        return tally.speedUp(cost.sharedBy(1));
    }

    /** Of an output token, with drafts. */
    double millis(ReplayTally tally) {
        return plainMillis() / speedUp(tally);
    }

    /** Of a GPU, for a million output tokens without drafts. */
    double plainHours() {
        return 1e6 * stepMicros / cost.batch() / MICROS_AN_HOUR;
    }

    /** What drafts save of those. */
    double savedHours(ReplayTally tally) {
        return plainHours() * (1 - 1 / speedUp(tally));
    }
}
