package io.tailrace.lab.bench.serve;

import io.tailrace.cli.serving.ServedDraftOptions;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import io.tailrace.worker.model.LanguageModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench serve}: a served model with drafts against without. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves a model over HTTP and asks it the same with drafts and without, in turn.",
            "Repetitive: each story in several variants, greedy. Non-repetitive: each once, temperature 1, seeds of their own."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace bench serve --model models/tinystories-656k",
            "  tailrace bench serve --model models/llama-1b --input day.jsonl.gz --batch 1 --batch 16 --json serve.json"
        })
public final class BenchServeCommand implements Callable<Integer> {
    private static final int CACHE_TOKENS = 16_384;
    private static final double REPETITIVE_GOAL = 1.5;
    private static final double NON_REPETITIVE_GOAL = 0.97;

    @Mixin
    private BenchedModel model = new BenchedModel();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Recorded requests with prompts in the model's token ids, JSON lines, plain or gzip. Default:"
                    + " ten openings of stories.")
    private Path prompts;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Concurrent requests, 1 to 64; repeatable. Default: 1, 4 and 8.")
    private List<Integer> batches = new ArrayList<>();

    @Option(
            names = "--passes",
            defaultValue = "6",
            paramLabel = "N",
            description = "How often every cell is measured; its ratio is of medians. Default: ${DEFAULT-VALUE}.")
    private int passes;

    @Option(
            names = "--stories",
            defaultValue = "12",
            paramLabel = "N",
            description = "Stories of a cell in a pass at batch 1, more at larger ones. Default: ${DEFAULT-VALUE}.")
    private int stories;

    @Option(
            names = "--variants",
            defaultValue = "3",
            paramLabel = "N",
            description = "How often each story is asked for, in other words. Default: ${DEFAULT-VALUE}.")
    private int variants;

    @Option(
            names = "--output-tokens",
            defaultValue = "200",
            paramLabel = "N",
            description = "Longest answer. Default: ${DEFAULT-VALUE}.")
    private int outputTokens;

    @Mixin
    private ServedDraftOptions drafting = new ServedDraftOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        List<Integer> cells = batches.isEmpty() ? List.of(1, 4, 8) : batches;
        PrintWriter out = spec.commandLine().getOut();
        String head = model.head();
        ServeBench.Report report = measure(cells, out);
        out.println(head);
        print(report, out);
        model.write(json(report));
        boolean reached = report.divergences() == 0
                && report.ratioMin(ServeBench.NON_REPETITIVE) >= NON_REPETITIVE_GOAL
                && report.with(ServeBench.REPETITIVE, cells.get(0)).ratio() >= REPETITIVE_GOAL;
        return reached ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private ServeBench.Report measure(List<Integer> cells, PrintWriter out) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("tailrace-bench-serve");
        LanguageModel loaded = model.load(CACHE_TOKENS);
        StoryPrompts asked;
        ServeBench.Options options;
        try {
            asked = prompts(loaded);
            options = new ServeBench.Options(
                    cells, passes, stories, variants, 12, outputTokens, drafting.draftOptions(), drafting.budget());
        } catch (IllegalArgumentException | IOException e) {
            loaded.close();
            throw new BadInputException(e.getMessage(), e);
        }
        return ServeBench.run(loaded, asked, options, folder, line -> {
            out.println(line + " ...");
            out.flush();
        });
    }

    private StoryPrompts prompts(LanguageModel loaded) throws IOException {
        return prompts == null ? StoryPrompts.openings(loaded.tokenizer()) : StoryPrompts.read(prompts);
    }

    private static void print(ServeBench.Report report, PrintWriter out) {
        Table table = new Table(
                "workload",
                "batch",
                "drafts",
                "tokens/s",
                "ratio",
                "of passes",
                "TPOT p50 us",
                "p99 us",
                "tokens/step",
                "acceptance");
        for (ServeBench.Row row : report.rows()) {
            table.row(
                    row.workload(),
                    row.batch(),
                    row.drafts() ? "with" : "without",
                    row.tokensPerSecond(),
                    row.ratio(),
                    row.drafts() ? "%.2f-%.2f".formatted(row.ratioLow(), row.ratioHigh()) : "",
                    row.tpotMicrosP50(),
                    row.tpotMicrosP99(),
                    row.tokensPerStep(),
                    row.acceptanceRate());
        }
        table.print(out);
        out.println("answers that differ with drafts: %d; goals: repetitive >= %.2f at the first batch, other >= %.2f"
                .formatted(report.divergences(), REPETITIVE_GOAL, NON_REPETITIVE_GOAL));
        out.flush();
    }

    private static Map<String, Object> json(ServeBench.Report report) {
        int first = report.rows().get(0).batch();
        ServeBench.Row repetitive = report.with(ServeBench.REPETITIVE, first);
        Map<String, Object> repeated = new LinkedHashMap<>();
        repeated.put("batch", first);
        repeated.put("ratio", repetitive.ratio());
        repeated.put("tokensPerSecond", repetitive.tokensPerSecond());
        repeated.put("acceptanceRate", repetitive.acceptanceRate());
        repeated.put("tokensPerStep", repetitive.tokensPerStep());
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("ratioMin", report.ratioMin(ServeBench.NON_REPETITIVE));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(ServeBench.REPETITIVE, repeated);
        all.put(ServeBench.NON_REPETITIVE, other);
        all.put("divergences", report.divergences());
        all.put("rows", report.rows());
        return all;
    }
}
