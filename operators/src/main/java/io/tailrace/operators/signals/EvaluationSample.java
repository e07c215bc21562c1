package io.tailrace.operators.signals;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * A generation to evaluate.
 *
 * @param lane as text
 * @param replica which of the lane's evaluators it goes to
 * @param completedAt epoch milliseconds
 * @param prompt the last tokens of the prompt; none where it is not known
 * @param response its first tokens
 * @param partition of topic generations it came from
 * @param offset in that partition
 */
public record EvaluationSample(
        String lane, int replica, long completedAt, int[] prompt, int[] response, int partition, long offset) {
    /** Of a longer prompt the last tokens are kept. */
    public static final int PROMPT_TOKENS_MAX = 8_192;
    /** Of a longer response the first tokens are evaluated: a step takes some 20 us, and while it is evaluated others wait. */
    public static final int RESPONSE_TOKENS_MAX = 4_096;

    /** The side output of shards that they come from. */
    public static final OutputTag<EvaluationSample> OUTPUT =
            new OutputTag<>("evaluation-samples", TypeInformation.of(EvaluationSample.class));

    /** What the stream is keyed by. */
    public String replicaKey() {
        return lane + "#" + replica;
    }

    /**
     * Which generations are evaluated, by the hash of their request ids: the same ones after a restore.
     *
     * @param share of a lane's generations, 0 to 1; all while a drift alarm is on, unless it is 0
     * @param replicas evaluators of a lane
     */
    public record Sampling(double share, int replicas) implements Serializable {
        public static final int REPLICAS_MAX = 64;

        public Sampling {
            require(share >= 0 && share <= 1, "share must be 0 to 1, got %s", share);
            require(
                    replicas >= 1 && replicas <= REPLICAS_MAX,
                    "replicas must be 1 to %d, got %d",
                    REPLICAS_MAX,
                    replicas);
        }

        /** A tenth, two replicas. */
        public static Sampling defaults() {
            return new Sampling(0.1, 2);
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
}
