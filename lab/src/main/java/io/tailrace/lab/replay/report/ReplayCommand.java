package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayProtocol.Counting;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.ReplaySuite;
import io.tailrace.lab.replay.SimulatedSpeculation;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.TokenProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code tailrace replay}: what drafting would have given on recorded requests. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows what drafting would have given on recorded requests: each is drafted, verified against what the model"
                    + " really answered, and then inserted into the index, in order.",
            "Needs no Kafka, no Flink, no model and no GPU; nothing leaves this process."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace replay --input chat.jsonl --tokenizer models/llama --html report.html",
            "  tailrace replay --input *.jsonl.gz --strategy adaptive,suffix-decoding,none --budget 16 --threads 2",
            "  tailrace replay --input requests.jsonl --workers 8 --silo --count second-half --json silo.json",
            "",
            "Exit code 0: done; 2: bad input or usage."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Mixin
    private InputArguments input = new InputArguments();

    @Mixin
    private DraftingArguments drafting = new DraftingArguments();

    @Mixin
    private ProtocolArguments protocol = new ProtocolArguments();

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes a report with a verdict and charts: one file, no network.")
    private Path html;

    @Option(
            names = "--list-strategies",
            help = true,
            description = "Lists the strategies and their parameters, and ends.")
    private boolean listStrategies;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (listStrategies) {
            listStrategies(out);
            return ExitCodes.DONE;
        }
        PrintWriter err = spec.commandLine().getErr();
        figures.check();
        JsonFile.check("--html", html);
        input.check();
        drafting.check();
        ReplayProtocol how = protocol.protocol(input.warmAnswers(protocol.promptTail()));
        List<ReplayStream> streams = input.streams(out, err);
        List<ReplayRun> runs = runs(streams, how, err);
        List<ReplayRun.Done> done = replay(runs, err);
        List<ReplayRow> rows = ReplayRow.of(done);
        List<SharingModes.Mode> sharing = sharing(runs, rows, err);
        report(streams, done, rows, sharing, setting(runs, rows, err), out);
        return ExitCodes.DONE;
    }

    private List<ReplayRun> runs(List<ReplayStream> streams, ReplayProtocol how, PrintWriter err)
            throws InterruptedException {
        List<float[]> weights = drafting.weights(streams, err);
        List<ReplayRun> runs = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            for (StrategyChoice strategy : drafting.choices()) {
                for (int budget : drafting.budgets()) {
                    runs.add(new ReplayRun(
                            streams.get(i), strategy, weights.get(i), budget, how, drafting.speculation()));
                }
            }
        }
        return runs;
    }

    private List<ReplayRun.Done> replay(List<ReplayRun> runs, PrintWriter err) throws InterruptedException {
        ReplaySuite suite = new ReplaySuite(runs);
        return TokenProgress.during(
                "replay", suite.tokens(), suite::tokensDone, err, () -> suite.run(drafting.threads()));
    }

    /** Among how many workers sharing is compared; 1: it is not. */
    private int replicas() {
        if (protocol.compared != null) {
            return protocol.compared;
        }
        return html == null ? 1 : ProtocolArguments.COMPARED_IN_REPORT;
    }

    /** With a report, whose setting is for engines that verify one line, trees are replayed as lines, too. */
    private EngineSetting setting(List<ReplayRun> runs, List<ReplayRow> rows, PrintWriter err)
            throws InterruptedException {
        List<ReplayRow> pooled = ReplayRow.pooled(rows);
        GainVerdict verdict = GainVerdict.of(pooled, drafting.profile());
        List<ReplayRun> lines = html == null ? List.of() : LineDrafts.runs(runs, verdict.row());
        Optional<GainVerdict> inOneLine = lines.isEmpty()
                ? Optional.empty()
                : Optional.of(GainVerdict.of(ReplayRow.pooled(ReplayRow.of(replay(lines, err))), drafting.profile()));
        List<Integer> budgets =
                pooled.stream().map(ReplayRow::budget).distinct().sorted().toList();
        return new EngineSetting(verdict, inOneLine, budgets, input.formats());
    }

    private List<SharingModes.Mode> sharing(List<ReplayRun> runs, List<ReplayRow> rows, PrintWriter err)
            throws InterruptedException {
        if (replicas() == 1) {
            return List.of();
        }
        int budget =
                GainVerdict.of(ReplayRow.pooled(rows), drafting.profile()).row().budget();
        Map<String, List<ReplayRun>> ways = SharingModes.runs(runs, budget, replicas());
        List<ReplayRun> all = ways.values().stream().flatMap(List::stream).toList();
        return SharingModes.modes(ways, replay(all, err));
    }

    private void report(
            List<ReplayStream> streams,
            List<ReplayRun.Done> done,
            List<ReplayRow> rows,
            List<SharingModes.Mode> sharing,
            EngineSetting setting,
            PrintWriter out)
            throws IOException {
        List<ReplayRow> pooled = ReplayRow.pooled(rows);
        AssumedCost cost = drafting.cost();
        out.println(drafting.weightsLine());
        ReplayTables tables = new ReplayTables(out, cost);
        tables.runs(rows, pooled);
        List<ReplayRow> calibrated = pooled.stream()
                .filter(row -> row.strategy().strategy().probabilities() == Strategy.Probabilities.CALIBRATED)
                .toList();
        if (!calibrated.isEmpty()) {
            out.println();
            tables.reliability(calibrated);
        }
        List<SimulatedSpeculation.Row> speculation = SimulatedSpeculation.Row.of(done);
        if (!speculation.isEmpty()) {
            out.println();
            tables.speculation(speculation);
        }
        if (!sharing.isEmpty()) {
            out.println();
            tables.sharing(sharing, replicas());
        }
        GainVerdict verdict = setting.verdict();
        out.println();
        out.println(verdict.sentence());
        setting.inShort().ifPresent(out::println);
        out.println("Estimated for %s: %s.".formatted(verdict.profile().name(), verdict.assumptions()));
        String command = commandLine();
        if (figures.isWanted()) {
            Map<String, Object> result = figures.begin();
            result.put("command", command);
            result.put("weights", drafting.weightsName());
            result.put("runs", ReplayJson.runs(rows, cost));
            result.put("pooled", ReplayJson.runs(pooled, cost));
            result.put("reliability", ReplayJson.reliability(calibrated));
            result.put("speculation", ReplayJson.speculation(speculation));
            if (!sharing.isEmpty()) {
                result.put("sharing", ReplayJson.sharing(sharing, replicas(), cost));
            }
            setting.inOneLine()
                    .ifPresent(line -> result.put(
                            "inOneLine",
                            ReplayJson.runs(List.of(line.row()), cost).get(0)));
            figures.write(result);
        }
        if (html != null) {
            new ReplayPage(command, setting, drafting.weightsLine(), done, rows, pooled)
                    .write(
                            html,
                            figures.where(),
                            new InputProfile(streams, input.readings()),
                            replicas(),
                            sharing,
                            calibrated,
                            speculation);
            out.println();
            out.println("Report: " + html.toAbsolutePath());
        }
        out.flush();
    }

    /** As it was typed: what somebody needs to see the same figures. */
    private String commandLine() {
        ParseResult parsed = spec.root().commandLine().getParseResult();
        return "tailrace " + String.join(" ", parsed.originalArgs());
    }

    private static void listStrategies(PrintWriter out) {
        Table table = new Table("strategy", "parameters", "what");
        for (Strategy strategy : Strategy.all()) {
            table.row(strategy.name(), String.join(", ", strategy.parameters()), strategy.description());
        }
        table.print(out);
    }

    /** How to replay. */
    @Command(optionListHeading = "Protocol")
    static final class ProtocolArguments {
        private static final int COMPARED_IN_REPORT = 8;

        @Option(
                names = "--count",
                defaultValue = "all",
                paramLabel = "all|second-half",
                description = "Which requests of each stream are counted; all are replayed. Default: ${DEFAULT-VALUE}.")
        private String count;

        @Bounds(min = 1)
        @Option(
                names = "--flush",
                hidden = true,
                defaultValue = "1",
                paramLabel = "N",
                description = "Finished responses enter the index N at a time. Default: ${DEFAULT-VALUE}.")
        private int flush;

        @Bounds(min = 0)
        @Option(
                names = "--lag",
                hidden = true,
                defaultValue = "0",
                paramLabel = "N",
                description = "A finished response is held up until N further requests have finished. Default:"
                        + " ${DEFAULT-VALUE}.")
        private int lag;

        @Bounds(min = 1)
        @Option(
                names = "--workers",
                defaultValue = "1",
                paramLabel = "N",
                description = "Workers that the requests are dealt to in turn. Default: ${DEFAULT-VALUE}.")
        private int workers;

        @Bounds(min = 0, max = RememberedAnswer.TAIL_TOKENS_MAX)
        @Option(
                names = "--prompt-tail",
                defaultValue = "" + RememberedAnswer.TAIL_TOKENS,
                paramLabel = "TOKENS",
                description = "How many of a prompt's last tokens are remembered before its response, for matching"
                        + " only. Default: ${DEFAULT-VALUE}.")
        private int promptTail;

        @Bounds(min = 1)
        @Option(
                names = "--sharing",
                paramLabel = "N",
                description =
                        "Also replays with N workers, each alone, sharing with a lag of 50 requests, and sharing at"
                                + " once: what sharing is worth. It takes as long as replaying three budgets; 1 leaves it out."
                                + " Default: " + COMPARED_IN_REPORT + " with --html, else 1.")
        private Integer compared;

        @ArgGroup
        private SharingArguments sharing = new SharingArguments();

        private static final class SharingArguments {
            @Option(
                    names = "--shared",
                    description =
                            "Workers draft from each other's responses, and from their own at once whatever --flush"
                                    + " and --lag say. The default.")
            private boolean shared;

            @Option(names = "--silo", description = "Each worker drafts from its own responses only.")
            private boolean silo;
        }

        int promptTail() {
            return promptTail;
        }

        ReplayProtocol protocol(List<RememberedAnswer> warm) {
            return ReplayProtocol.online()
                    .counting(counting())
                    .delayed(flush, lag)
                    .dealt(workers, sharing.shared || !sharing.silo ? Sharing.SHARED : Sharing.SILO)
                    .warmed(warm)
                    .remembering(promptTail);
        }

        private Counting counting() {
            return switch (count) {
                case "all" -> Counting.ALL;
                case "second-half" -> Counting.SECOND_HALF;
                default -> throw new BadInputException("--count must be all or second-half, got " + count);
            };
        }
    }
}
