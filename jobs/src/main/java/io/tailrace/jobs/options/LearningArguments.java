package io.tailrace.jobs.options;

import io.tailrace.operators.evaluation.EvaluationChoice;
import io.tailrace.operators.evaluation.Evaluator;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.terminal.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the job learns, and how much of it. */
@Command(optionListHeading = "Learning")
public final class LearningArguments {
    @Bounds(min = 0, max = 1)
    @Option(
            names = "--evaluation-share",
            hidden = true,
            defaultValue = "0.1",
            paramLabel = "SHARE",
            description =
                    "Share of the generations that is evaluated to learn from, 0 to 1; all while a drift alarm is on, "
                            + "unless 0. Default: ${DEFAULT-VALUE}.")
    double evaluationShare;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--evaluation-replicas",
            hidden = true,
            defaultValue = "2",
            paramLabel = "N",
            description = "Evaluators of each lane, for parallelism; 1 to 64. Default: ${DEFAULT-VALUE}.")
    int evaluationReplicas;

    @Bounds(min = 0, max = 1, above = true)
    @Option(
            names = "--evaluation-busy-share",
            hidden = true,
            defaultValue = "0.5",
            paramLabel = "SHARE",
            description =
                    "Share of one thread's time that evaluation may take in a task, beside the stream, which does not wait for it; "
                            + "what comes beyond it is skipped, as after a restart. 1: nothing is, and the stream waits. Default: ${DEFAULT-VALUE}.")
    double evaluationBusyShare;

    @Option(
            names = "--evaluation-count",
            hidden = true,
            paramLabel = "CHOICE",
            description =
                    "Also count what another choice would give on the evaluated generations: own-context, budget-8, "
                            + "budget-31, newest-only, without-oldest, or a strategy with its parameters: none, prompt-lookup, "
                            + "suffix-decoding, sam-decoding, token-recycling:observed=true. Each costs one more evaluation. Repeatable. Default: none.")
    List<String> evaluationCounts = new ArrayList<>();

    @Bounds(min = 0)
    @Option(
            names = "--policy-seconds",
            hidden = true,
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "Least time between two candidates for a lane's policy. Default: ${DEFAULT-VALUE}.")
    long policySeconds;

    @Bounds(min = 1)
    @Option(
            names = "--policy-evidence",
            hidden = true,
            defaultValue = "5000",
            paramLabel = "N",
            description =
                    "Places with a known next token that evaluation must have learned from since the last candidate. "
                            + "Default: ${DEFAULT-VALUE}.")
    long policyEvidence;

    @Bounds(min = 1)
    @Option(
            names = "--drift-false-alarm-generations",
            hidden = true,
            defaultValue = "1000000",
            paramLabel = "N",
            description = "While a lane's traffic does not shift, a drift alarm within n generations has at most the "
                    + "probability n / N. Default: ${DEFAULT-VALUE}.")
    long driftFalseAlarmGenerations;

    @Bounds(min = 1, max = 100)
    @Option(
            names = "--drift-hurry",
            hidden = true,
            defaultValue = "3",
            paramLabel = "TIMES",
            description =
                    "How many times as fast the job's mixers learn while a drift alarm is on. Workers' own learn three "
                            + "times as fast then, whatever this says. Default: ${DEFAULT-VALUE}.")
    float driftHurry;

    EvaluationSample.Sampling sampling() {
        return new EvaluationSample.Sampling(evaluationShare, evaluationReplicas);
    }

    Evaluator.Options evaluate() {
        return new Evaluator.Options(
                evaluationBusyShare,
                driftHurry,
                evaluationCounts.stream().map(EvaluationChoice::new).toList());
    }

    LaneLearning.Options policies() {
        return new LaneLearning.Options(
                Duration.ofSeconds(policySeconds).toMillis(),
                policyEvidence,
                LaneLearning.Options.defaults().priorEvidence(),
                evaluationReplicas);
    }

    long driftFalseAlarmGenerations() {
        return driftFalseAlarmGenerations;
    }
}
