package io.tailrace.lab.experiment;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tailrace bench offline-shift}: what a sudden shift of the traffic costs. */
@Command(
        name = "offline-shift",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What does a sudden shift of the traffic cost, against an index built beforehand for the new traffic"
                    + " (SuffixDecoding Fig. 9)? The order changes its workload once; half of the new traffic is held back"
                    + " for the index built beforehand.",
            "--requests is how many before and after the shift are replayed. The two workloads of the order are inputs;"
                    + " with --weights held-out, weights are trained on further inputs."
        })
public final class ShiftCommand extends ExperimentCommand {
    @Option(
            names = "--order",
            required = true,
            paramLabel = "FILE",
            description = "JSON lines with workload and id, which change their workload once.")
    private Path order;

    private ShiftTrials shift;

    @Override
    Trials newTrials() throws InterruptedException {
        ReplayStream whole = arguments.reader(Long.MAX_VALUE).ordered(order, arguments.inputs());
        try {
            shift = ShiftTrials.of(whole.inOneScope(), arguments.requests(), arguments.requests());
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--order %s: %s".formatted(order, e.getMessage()), e);
        }
        float[] weights =
                arguments.weightsWithout(workloads(whole), spec.commandLine().getErr());
        return new Trials(List.of(whole), List.of(weights), arguments.choices(), arguments.budgets());
    }

    @Override
    List<Trial> trials(Trials trials) {
        return shift.trials(trials.weights().get(0), trials.strategies(), trials.budgets());
    }

    private static Set<String> workloads(ReplayStream stream) {
        return stream.cases().stream().map(ReplayCase::workload).collect(Collectors.toSet());
    }

    @Override
    List<ResultTable> tables(List<Finished> finished) {
        return shift.tables(finished);
    }
}
