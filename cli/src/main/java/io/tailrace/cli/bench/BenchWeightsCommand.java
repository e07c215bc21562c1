package io.tailrace.cli.bench;

import io.tailrace.bench.replay.ReplayStream;
import io.tailrace.bench.replay.StreamReader;
import io.tailrace.bench.replay.WeightChoice;
import io.tailrace.bench.replay.WeightTraining;
import io.tailrace.cli.terminal.ExitCodes;
import io.tailrace.cli.terminal.JsonFile;
import io.tailrace.cli.terminal.Require;
import io.tailrace.cli.terminal.TokenProgress;
import io.tailrace.worker.replay.ReplayInputOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
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
final class BenchWeightsCommand implements Callable<Integer> {
    @Option(
            names = "--input",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Recorded requests as JSON lines, plain or gzip; several or repeated.")
    private List<Path> inputs;

    @Option(
            names = "--requests",
            defaultValue = "100",
            paramLabel = "N",
            description = "The first N requests of each input. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--vocabulary",
            defaultValue = "100277",
            paramLabel = "N",
            description = "Token ids are below it. Default: ${DEFAULT-VALUE} (cl100k_base).")
    private int vocabulary;

    @Option(names = "--output", required = true, paramLabel = "FILE", description = "Where the weights go.")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check("--output", output);
        Require.atLeast("--requests", 1, requests);
        Require.atLeast("--vocabulary", 1, vocabulary);
        StreamReader reader = new StreamReader(ReplayInputOptions.of(vocabulary), requests, null);
        List<ReplayStream> streams = inputs.stream().map(reader::file).toList();
        long tokens = streams.stream().mapToLong(ReplayStream::tokens).sum();
        PrintWriter err = spec.commandLine().getErr();
        AtomicLong done = new AtomicLong();
        WeightTraining training = new WeightTraining(requests, done::addAndGet);
        float[] weights = TokenProgress.during("training", tokens, done::get, err, () -> training.train(streams));
        WeightChoice.write(weights, output);
        spec.commandLine().getOut().println("Weights: " + output.toAbsolutePath());
        return ExitCodes.DONE;
    }
}
