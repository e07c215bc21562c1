package io.tailrace.client.report;

import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.Counterfactual;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.PositionOutcome;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.schemas.StepTime;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.SourceKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that was served, as its records.
 *
 * @param requestId unique within its lane
 * @param lane the lane
 * @param worker who served it
 * @param workerClass whose cost curve its step times belong to
 * @param strategy what drafted
 * @param prompt if the generation record is to carry it, or null
 * @param answer what is remembered of it, or null: who reports it remembers nothing
 * @param promptTokens length of the full prompt
 * @param temperature it was sampled with; 0: greedy; null: unknown
 * @param decoded what came out
 * @param ownContext the same request decoded from its own context only, or null if that was not measured
 * @param startedAtMillis when it arrived
 * @param completedAtMillis when its last token was produced
 * @param finish why it ended
 */
public record ServedRequest(
        String requestId,
        Lane lane,
        String worker,
        String workerClass,
        String strategy,
        int[] prompt,
        RememberedAnswer answer,
        int promptTokens,
        Float temperature,
        DecodeResult decoded,
        DecodeTally ownContext,
        long startedAtMillis,
        long completedAtMillis,
        Finish finish) {
    public static final String OWN_CONTEXT = "own-context";

    public Generation generation() {
        return Generation.newBuilder()
                .setRequestId(requestId)
                .setLane(lane)
                .setProducer(worker)
                .setPrompt(prompt == null ? null : TokenIds.toList(prompt))
                .setResponse(TokenIds.toList(decoded.output()))
                .setStartedAt(Instant.ofEpochMilli(startedAtMillis))
                .setCompletedAt(Instant.ofEpochMilli(completedAtMillis))
                .setTemperature(temperature)
                .build();
    }

    public Outcome outcome() {
        DecodeTally tally = decoded.tally();
        return Outcome.newBuilder()
                .setRequestId(requestId)
                .setLane(lane)
                .setWorker(worker)
                .setWorkerClass(workerClass)
                .setStrategy(strategy)
                .setSnapshotVersionFirst(decoded.snapshotVersionFirst())
                .setSnapshotVersionLast(decoded.snapshotVersionLast())
                .setPromptTokens(promptTokens)
                .setResponseTokens(decoded.output().length)
                .setSteps(tally.steps())
                .setDrafted(tally.drafted())
                .setAccepted(tally.accepted())
                .setBySource(bySource(tally))
                .setStepTimes(stepTimes(tally))
                .setDraftMicros(tally.draftNanos() / 1_000)
                .setCounterfactuals(counterfactuals())
                .setStartedAt(Instant.ofEpochMilli(startedAtMillis))
                .setCompletedAt(Instant.ofEpochMilli(completedAtMillis))
                .setLogLoss(tally.logLoss())
                .setPredictions(tally.predictions())
                .setFinish(finish)
                .setByPosition(byPosition(tally))
                .build();
    }

    private List<Counterfactual> counterfactuals() {
        return ownContext == null
                ? List.of()
                : List.of(new Counterfactual(
                        OWN_CONTEXT, ownContext.steps(), ownContext.drafted(), ownContext.accepted()));
    }

    private static List<SourceOutcome> bySource(DecodeTally tally) {
        List<SourceOutcome> split = new ArrayList<>();
        for (SourceKind kind : SourceKind.values()) {
            for (int length = 0; length < DecodeTally.matchLengthClasses(); length++) {
                int drafted = tally.drafted(kind, length);
                if (drafted > 0) {
                    split.add(new SourceOutcome(
                            kind.label(), DecodeTally.matchLengthMin(length), drafted, tally.accepted(kind, length)));
                }
            }
        }
        return split;
    }

    private static List<PositionOutcome> byPosition(DecodeTally tally) {
        List<PositionOutcome> positions = new ArrayList<>();
        for (int position = 0; position < tally.positions(); position++) {
            positions.add(new PositionOutcome(tally.draftedAt(position), tally.acceptedAt(position)));
        }
        return positions;
    }

    private static List<StepTime> stepTimes(DecodeTally tally) {
        List<StepTime> times = new ArrayList<>();
        tally.stepTimes()
                .forEach((shape, total) ->
                        times.add(new StepTime(shape.batch(), shape.verifiedTokens(), total.steps(), total.micros())));
        return times;
    }
}
