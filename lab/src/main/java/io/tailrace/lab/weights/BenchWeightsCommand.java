package io.tailrace.lab.weights;

import io.tailrace.lab.replay.StreamReader;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench weights}: trains the mixer weights that ship with the product. */
@Command(
        name = "weights",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Trains mixer weights on recorded requests: one mixer serves all inputs in turn, each with an index of its own"
                    + " that starts empty. Writes one number a line, as the resource that ships.",
            "What they are worth is said by: tailrace replay --weights held-out"
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench weights --input recordings/*.jsonl.gz --requests 100 --output weights.txt")
public final class BenchWeightsCommand implements Callable<Integer> {
    @Mixin
    private StreamReader.Options inputs = new StreamReader.Options();

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            defaultValue = "100",
            paramLabel = "N",
            description = "The first N requests of each input. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(names = "--output", required = true, paramLabel = "FILE", description = "Where the weights go.")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check("--output", output);
        PrintWriter err = spec.commandLine().getErr();
        float[] weights = StartingWeights.trained(inputs.streams(requests), requests, err);
        StartingWeights.Choice.write(weights, output);
        spec.commandLine().getOut().println("Weights: " + output.toAbsolutePath());
        return ExitCodes.DONE;
    }
}
