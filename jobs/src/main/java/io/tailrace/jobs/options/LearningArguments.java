package io.tailrace.jobs.options;

import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.replay.ReplayChoice;
import io.tailrace.operators.replay.ReplayOptions;
import io.tailrace.operators.signals.ReplaySampling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the job learns, and how much of it. */
@Command(optionListHeading = "Learning")
public final class LearningArguments {
    @Bounds(min = 0, max = 1) @Option(
            names = "--replay-share", hidden = true,
            defaultValue = "0.1",
            paramLabel = "SHARE",
            description =
                    "Share of the generations that is replayed to learn from, 0 to 1; all while a drift alarm is on, "
                            + "unless 0. Default: ${DEFAULT-VALUE}.")
    double replayShare;

    @Bounds(min = 1, max = 64) @Option(
            names = "--replay-replicas", hidden = true,
            defaultValue = "2",
            paramLabel = "N",
            description = "Replayers of each lane, for parallelism; 1 to 64. Default: ${DEFAULT-VALUE}.")
    int replayReplicas;

    @Bounds(min = 0, max = 1, above = true) @Option(
            names = "--replay-busy-share", hidden = true,
            defaultValue = "0.5",
            paramLabel = "SHARE",
            description =
                    "Share of one thread's time that replay may take in a task, beside the stream, which does not wait for it; "
                            + "what comes beyond it is skipped, as after a restart. 1: nothing is, and the stream waits. Default: ${DEFAULT-VALUE}.")
    double replayBusyShare;

    @Option(
            names = "--replay-count", hidden = true,
            paramLabel = "CHOICE",
            description =
                    "Also count what another choice would give on the replayed generations: own-context, budget-8, "
                            + "budget-31, newest-only, without-oldest, or a strategy with its parameters: none, prompt-lookup, "
                            + "suffix-decoding, sam-decoding, token-recycling:observed=true. Each costs one more replay. Repeatable. Default: none.")
    List<String> replayCounts = new ArrayList<>();

    @Bounds(min = 0) @Option(
            names = "--policy-seconds", hidden = true,
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "Least time between two candidates for a lane's policy. Default: ${DEFAULT-VALUE}.")
    long policySeconds;

    @Bounds(min = 1) @Option(
            names = "--policy-evidence", hidden = true,
            defaultValue = "5000",
            paramLabel = "N",
            description = "Places with a known next token that replay must have learned from since the last candidate. "
                    + "Default: ${DEFAULT-VALUE}.")
    long policyEvidence;

    @Bounds(min = 1) @Option(
            names = "--drift-false-alarm-generations", hidden = true,
            defaultValue = "1000000",
            paramLabel = "N",
            description = "While a lane's traffic does not shift, a drift alarm within n generations has at most the "
                    + "probability n / N. Default: ${DEFAULT-VALUE}.")
    long driftFalseAlarmGenerations;

    @Bounds(min = 1, max = 100) @Option(
            names = "--drift-hurry", hidden = true,
            defaultValue = "3",
            paramLabel = "TIMES",
            description =
                    "How many times as fast the job's mixers learn while a drift alarm is on. Workers' own learn three "
                            + "times as fast then, whatever this says. Default: ${DEFAULT-VALUE}.")
    float driftHurry;

    ReplaySampling sampling() {
        return new ReplaySampling(replayShare, replayReplicas);
    }

    ReplayOptions replay(long cacheBytes) {
        return new ReplayOptions(
                replayBusyShare,
                driftHurry,
                replayCounts.stream().map(ReplayChoice::new).toList(),
                cacheBytes);
    }

    LearningOptions policies() {
        return new LearningOptions(
                Duration.ofSeconds(policySeconds).toMillis(),
                policyEvidence,
                LearningOptions.defaults().priorEvidence(),
                replayReplicas);
    }

    long driftFalseAlarmGenerations() {
        return driftFalseAlarmGenerations;
    }
}
