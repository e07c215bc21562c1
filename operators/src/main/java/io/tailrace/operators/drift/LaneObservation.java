package io.tailrace.operators.drift;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * What is watched for drift: a generation's tokens, or a request's log-loss, one of the two.
 *
 * @param lane as text
 * @param sketch the generation's token buckets, see {@link io.tailrace.suffix.learn.TokenReference#sketch}; null where the loss is there
 * @param logLoss nats, summed over the predictions
 * @param predictions 0 where the sketch is there
 */
public record LaneObservation(String lane, short[] sketch, double logLoss, long predictions) {
    /** The side output of the shard indexer and of outcome decoding that they come from. */
    public static final OutputTag<LaneObservation> OUTPUT =
            new OutputTag<>("observations", TypeInformation.of(LaneObservation.class));

    public static LaneObservation ofTokens(String lane, short[] sketch) {
        return new LaneObservation(lane, sketch, 0, 0);
    }

    public static LaneObservation ofLoss(String lane, double logLoss, long predictions) {
        return new LaneObservation(lane, null, logLoss, predictions);
    }
}
