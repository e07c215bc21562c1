package io.tailrace.operators.signals;

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

    /** The side output of the shard indexer that they come from. */
    public static final OutputTag<EvaluationSample> OUTPUT =
            new OutputTag<>("evaluation-samples", TypeInformation.of(EvaluationSample.class));

    /** What the stream is keyed by. */
    public String replicaKey() {
        return lane + "#" + replica;
    }
}
