package io.tailrace.lab.bench.serve;

import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import io.tailrace.worker.model.TargetModel;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench forward}: what verifying a tree costs, by its size and by the batch. */
@Command(
        name = "forward",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures forward passes of a model: 1, 8, 16 and 32 tokens of 1, 4 and 8 requests at once.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace bench forward --model models/tinystories-656k",
            "  tailrace bench forward --model models/llama-1b --compute-type fp16 --device cuda:0 --past 1024"
        })
public final class BenchForwardCommand implements Callable<Integer> {
    private static final int REQUESTS_MAX = 8;
    private static final int TREE_MAX = 32;

    @Mixin
    private BenchedModel model = new BenchedModel();

    @Bounds(min = 1)
    @Option(
            names = "--past",
            defaultValue = "128",
            paramLabel = "N",
            description = "Tokens that each request already has. Default: ${DEFAULT-VALUE}.")
    private int past;

    @Bounds(min = 100)
    @Option(
            names = "--passes",
            defaultValue = "400",
            paramLabel = "N",
            description = "Timed passes a row, at least 100. Default: ${DEFAULT-VALUE}.")
    private int passes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        PrintWriter out = spec.commandLine().getOut();
        out.println("%s, %s, %d tokens before".formatted(model.head(), model.device(), past));
        out.flush();
        List<ForwardBench.Row> rows = measure();
        Table table = new Table("requests", "tokens each", "median ms", "p99 ms", "to 1 token");
        rows.forEach(row -> table.row(row.batch(), row.treeTokens(), row.medianMillis(), row.p99Millis(), row.ratio()));
        table.print(out);
        model.write(Map.of("rows", rows));
        return ExitCodes.DONE;
    }

    private List<ForwardBench.Row> measure() {
        try (TargetModel loaded = model.target(REQUESTS_MAX * (past + TREE_MAX))) {
            return ForwardBench.run(loaded, new ForwardBench.Options(past, passes));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }
}
