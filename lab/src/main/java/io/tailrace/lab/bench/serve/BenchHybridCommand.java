package io.tailrace.lab.bench.serve;

import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench hybrid}: what the hybrid strategy adds to a step where it never takes the suffix draft. */
@Command(
        name = "hybrid",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves a model with the draft model alone, and with hybrid at an infinite threshold, and asks both the same in turn.",
            "Their steps verify the same drafts, so what differs is what having the second source costs."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench hybrid --model models/tinystories-656k --input day.jsonl.gz")
public final class BenchHybridCommand implements Callable<Integer> {
    private static final int CACHE_TOKENS = 16_384;

    @Mixin
    private BenchedModel model = new BenchedModel();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            description = "Recorded requests with prompts in the model's token ids, JSON lines, plain or gzip.")
    private Path prompts;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Concurrent requests, 1 to 64; repeatable. Default: 1 and 8.")
    private List<Integer> batches = new ArrayList<>();

    @Bounds(min = 1, max = 1_000)
    @Option(
            names = "--passes",
            defaultValue = "5",
            paramLabel = "N",
            description = "How often all is measured; ratios are of medians. Default: ${DEFAULT-VALUE}.")
    private int passes;

    @Bounds(min = 1, max = 100_000)
    @Option(
            names = "--requests",
            defaultValue = "24",
            paramLabel = "N",
            description = "Requests of a pass. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        List<Integer> sizes = batches.isEmpty() ? List.of(1, 8) : batches;
        PrintWriter out = spec.commandLine().getOut();
        String head = model.head();
        List<HybridBench.Row> rows = HybridBench.run(
                () -> model.load(CACHE_TOKENS),
                read(),
                "draft-model",
                "hybrid:threshold=Infinity",
                sizes,
                passes,
                requests,
                line -> {
                    out.println(line + " ...");
                    out.flush();
                });
        out.println(head);
        print(rows, out);
        model.write(Map.of("rows", rows));
        return ExitCodes.DONE;
    }

    private StoryPrompts read() {
        try {
            return StoryPrompts.read(prompts);
        } catch (IOException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private static void print(List<HybridBench.Row> rows, PrintWriter out) {
        Table table = new Table(
                "batch", "alone us/step", "hybrid us/step", "ratio", "of passes", "steps alone", "steps hybrid");
        for (HybridBench.Row row : rows) {
            table.row(
                    row.batch(),
                    row.aloneMicros(),
                    row.hybridMicros(),
                    new Table.Number3(row.ratio()),
                    "%.2f-%.2f".formatted(row.ratioLow(), row.ratioHigh()),
                    row.stepsAlone(),
                    row.stepsHybrid());
        }
        table.print(out);
    }
}
