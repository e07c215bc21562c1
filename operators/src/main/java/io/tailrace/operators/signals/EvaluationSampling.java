package io.tailrace.operators.signals;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;

/**
 * Which generations are evaluated, by the hash of their request ids: the same ones after a restore.
 *
 * @param share of a lane's generations, 0 to 1; all while a drift alarm is on, unless it is 0
 * @param replicas evaluators of a lane
 */
public record EvaluationSampling(double share, int replicas) implements Serializable {
    public static final int REPLICAS_MAX = 64;

    public EvaluationSampling {
        require(share >= 0 && share <= 1, "share must be 0 to 1, got %s", share);
        require(replicas >= 1 && replicas <= REPLICAS_MAX, "replicas must be 1 to %d, got %d", REPLICAS_MAX, replicas);
    }

    /** A tenth, two replicas. */
    public static EvaluationSampling defaults() {
        return new EvaluationSampling(0.1, 2);
    }

    public boolean takes(long requestHigh, boolean alarm) {
        double place = (requestHigh >>> 11) * 0x1.0p-53;
        return share > 0 && (alarm || place < share);
    }

    /** The replica of a request. */
    public int replica(long requestLow) {
        return (int) Long.remainderUnsigned(requestLow >>> 8, replicas);
    }
}
