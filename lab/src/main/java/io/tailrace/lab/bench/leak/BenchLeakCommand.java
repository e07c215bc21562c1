package io.tailrace.lab.bench.leak;

import io.tailrace.cli.serving.ServedDraftOptions;
import io.tailrace.lab.bench.serve.BenchedModel;
import io.tailrace.lab.bench.serve.StoryPrompts;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Table;
import io.tailrace.worker.http.DraftVisibility;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench leak}: what a caller learns of what others were answered. */
@Command(
        name = "leak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Plays a caller who wants to know what others were answered. It asks a worker with a real model over HTTP, in their scope and"
                    + " in another, and looks at reports, sizes and times of events, the whole answer's time and the metrics page.",
            "Says how well each tells whether a request was asked before (AUC; 0.5 is guessing), how many tokens of an answer an hour"
                    + " it brings out, and what hiding costs. Exit code 1: another scope or the spacing let something through."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench leak --model models/tinystories-656k")
public final class BenchLeakCommand implements Callable<Integer> {
    private static final int CACHE_TOKENS = 16_384;
    private static final int BACKGROUND = 64;

    @Mixin
    private BenchedModel model = new BenchedModel();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            description = "Recorded requests with prompts in the model's token ids, JSON lines, plain or gzip.")
    private Path prompts;

    @Bounds(min = 20, max = 100_000)
    @Option(
            names = "--trials",
            defaultValue = "200",
            paramLabel = "N",
            description = "Requests that were asked or were not, in each setting. Default: ${DEFAULT-VALUE}.")
    private int trials;

    @Bounds(min = 1, max = 10_000)
    @Option(
            names = "--secrets",
            defaultValue = "25",
            paramLabel = "N",
            description = "Answers that are gone after, each time. Default: ${DEFAULT-VALUE}.")
    private int secrets;

    @Bounds(min = 2, max = 200)
    @Option(
            names = "--secret-tokens",
            defaultValue = "12",
            paramLabel = "N",
            description = "Tokens of such an answer. Default: ${DEFAULT-VALUE}.")
    private int secretTokens;

    @Bounds(min = 2, max = 64)
    @Option(
            names = "--candidates",
            defaultValue = "12",
            paramLabel = "N",
            description = "Next tokens that are tried. Default: ${DEFAULT-VALUE}.")
    private int candidates;

    @Bounds(min = 1, max = 100)
    @Option(
            names = "--tries",
            defaultValue = "2",
            paramLabel = "N",
            description = "Calls for each of them. Default: ${DEFAULT-VALUE}.")
    private int tries;

    @Bounds(min = 8, max = 400)
    @Option(
            names = "--output-tokens",
            defaultValue = "64",
            paramLabel = "N",
            description = "Longest answer of a trial. Default: ${DEFAULT-VALUE}.")
    private int outputTokens;

    @Bounds(min = 1, max = DraftVisibility.EVENT_MILLIS_MAX)
    @Option(
            names = "--event-millis",
            defaultValue = "3",
            paramLabel = "N",
            description = "The worker's --event-millis where it hides drafting. Default: ${DEFAULT-VALUE}.")
    private int eventMillis;

    @Option(names = "--seed", defaultValue = "42", paramLabel = "N", description = "Seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private ServedDraftOptions drafting = new ServedDraftOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        model.check();
        StoryPrompts asked = prompts();
        PrintWriter out = spec.commandLine().getOut();
        String head = model.head();
        LeakBench.Report report = new LeakBench(
                        () -> model.load(CACHE_TOKENS),
                        asked,
                        new LeakBench.Options(
                                drafting.draftOptions(),
                                drafting.budget(),
                                BACKGROUND,
                                trials,
                                new Extraction.Effort(secrets, secretTokens, candidates, tries),
                                outputTokens,
                                eventMillis,
                                seed),
                        Files.createTempDirectory("tailrace-bench-leak"))
                .run(line -> {
                    out.println(line + " ...");
                    out.flush();
                });
        out.println(head);
        print(report, out);
        model.write(json(report));
        return report.hidden() ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private StoryPrompts prompts() {
        try {
            return StoryPrompts.read(prompts);
        } catch (IOException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }

    private static void print(LeakBench.Report report, PrintWriter out) {
        Table membership = new Table("setting", "scope", "looks at", "trials", "AUC", "95 %");
        for (Membership.Row row : report.membership()) {
            membership.row(
                    row.setting(),
                    row.scope(),
                    row.channel(),
                    row.trials(),
                    new Table.Number3(row.auc().value()),
                    "%.3f-%.3f".formatted(row.auc().low(), row.auc().high()));
        }
        membership.print(out);
        Table extraction = new Table(
                "setting",
                "scope",
                "looks at",
                "right",
                "guessed",
                "tokens/secret",
                "guessed",
                "calls/token",
                "tokens/h");
        for (Extraction.Row row : report.extraction()) {
            extraction.row(
                    row.setting(),
                    row.scope(),
                    row.channel(),
                    row.right(),
                    row.guessedRight(),
                    row.tokens(),
                    row.guessedTokens(),
                    row.callsPerToken(),
                    Math.round(row.tokensPerHour()));
        }
        extraction.print(out);
        Table cost = new Table("setting", "callers", "last event p50 ms", "tokens/s", "late");
        for (SpacingCost.Row row : report.cost()) {
            cost.row(
                    row.setting(),
                    row.callers(),
                    row.lastEventMillisP50(),
                    row.tokensPerSecond(),
                    new Table.Number3(row.lateShare()));
        }
        cost.print(out);
        out.flush();
    }

    private Map<String, Object> json(LeakBench.Report report) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("eventMillis", eventMillis);
        all.put("membership", report.membership());
        all.put("extraction", report.extraction());
        all.put("cost", report.cost());
        return all;
    }
}
