package io.tailrace.operators.drift;

import io.tailrace.schemas.DriftStanding;
import java.time.Instant;

/**
 * What drift detection tells the lane's publisher.
 *
 * @param lane as text
 * @param raised true: an alarm was raised just now
 * @param alarm an alarm is on
 * @param alarms since the job's state began
 * @param alarmedAt the last one, epoch milliseconds; 0: none
 * @param generations seen
 * @param evidence logarithm of the test's statistic
 * @param novelty bits a token, recent mean; of the reference where the name says so
 * @param logLoss nats a prediction, likewise
 */
public record DriftReport(
        String lane,
        boolean raised,
        boolean alarm,
        long alarms,
        long alarmedAt,
        long generations,
        double evidence,
        double novelty,
        double noveltyReference,
        double logLoss,
        double logLossReference) {

    /** As a manifest carries it. */
    public DriftStanding toRecord() {
        return new DriftStanding(
                alarm,
                alarms,
                Instant.ofEpochMilli(alarmedAt),
                Double.isFinite(evidence) ? evidence : 0.0,
                novelty,
                noveltyReference,
                logLoss,
                logLossReference);
    }
}
