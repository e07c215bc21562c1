package io.tailrace.lab.bench.engine;

import io.tailrace.lab.engine.EngineEnvironment;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code tailrace bench engine}: a stock engine with Tailrace against what else drafts. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Serves recorded requests through stock vLLM, with no drafts, n-grams, suffix decoding and Tailrace in turn, block by"
                    + " block in one running engine; then Tailrace and suffix decoding in one of eight replicas, the others'"
                    + " answers coming by the loop, for whose work the clock stands. The model has random weights, takes the time of a"
                    + " Llama of its size, and says what was recorded.",
            "Makes a Python environment where there is none, and says what it downloads. Exit code 1: an answer was not the"
                    + " record's."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tailrace bench engine --input day.jsonl.gz",
            "  tailrace bench engine --input code.jsonl.gz text2sql.jsonl.gz --size 400m --batch 1 --batch 16 --json engine.json"
        })
public final class BenchEngineCommand implements Callable<Integer> {
    private static final List<String> SIZES = List.of("30m", "400m");

    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description = "Recorded requests in one vocabulary, JSON lines, plain or gzip; each file is a workload.")
    private List<Path> inputs = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "30m|400m",
            description = "Parameters of the model; repeatable. Default: 30m.")
    private List<String> sizes = new ArrayList<>();

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Concurrent requests, 1 to 64; repeatable. Default: 1, 4 and 16.")
    private List<Integer> batches = new ArrayList<>();

    @Bounds(min = 2)
    @Option(
            names = "--requests",
            defaultValue = "48",
            paramLabel = "N",
            description =
                    "Requests of each workload that are served; more where a batch needs them. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Bounds(min = 0)
    @Option(
            names = "--before",
            defaultValue = "400",
            paramLabel = "N",
            description =
                    "Requests of each workload that were answered before, and are known to what learns. Default: ${DEFAULT-VALUE}.")
    private int before;

    @Bounds(min = 1)
    @Option(
            names = "--block",
            defaultValue = "8",
            paramLabel = "N",
            description = "Requests of a turn, at least twice the batch. Default: ${DEFAULT-VALUE}.")
    private int block;

    @Bounds(min = 2)
    @Option(
            names = "--passes",
            defaultValue = "4",
            paramLabel = "N",
            description = "How often all is served; the first warms up. Default: ${DEFAULT-VALUE}.")
    private int passes;

    @Bounds(min = 1)
    @Option(
            names = "--replicas",
            defaultValue = "8",
            paramLabel = "N",
            description =
                    "Of how many replicas the engine is one in the second part; 1: without it. Default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Bounds(min = 1)
    @Option(
            names = "--prompt-tokens",
            defaultValue = "1024",
            paramLabel = "N",
            description = "Longer prompts keep their last N tokens. Default: ${DEFAULT-VALUE}.")
    private int promptTokens;

    @Bounds(min = 2)
    @Option(
            names = "--answer-tokens",
            defaultValue = "256",
            paramLabel = "N",
            description = "Longer answers keep their first N tokens. Default: ${DEFAULT-VALUE}.")
    private int answerTokens;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--draft-tokens",
            hidden = true,
            defaultValue = "16",
            paramLabel = "N",
            description = "Most that Tailrace drafts for a request and step. Default: ${DEFAULT-VALUE}.")
    private int draftTokens;

    @Option(
            names = "--floors",
            hidden = true,
            split = ",",
            paramLabel = "P",
            description =
                    "Further turns of Tailrace that draft all tokens at least so likely, instead of what pays: 0.1,0.3. Default: none.")
    private List<Double> floors = new ArrayList<>();

    @Option(
            names = "--environment",
            paramLabel = "FOLDER",
            description =
                    "Python environment with the engine; made if there is no such folder. Default: ~/.cache/tailrace/engine-VERSION.")
    private Path environment;

    @Option(
            names = "--eager",
            hidden = true,
            description = "The engine computes without compiling first. Default: off.")
    private boolean eager;

    @Option(
            names = "--folder",
            hidden = true,
            paramLabel = "FOLDER",
            description = "Keeps plans and logs in this empty or new folder. Default: one that is deleted.")
    private Path folder;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        figures.check();
        PrintWriter out = spec.commandLine().getOut();
        EngineBench.Options options = options();
        EngineTraffic traffic = EngineTraffic.read(inputs, options.needed(), promptTokens, answerTokens);
        EngineEnvironment engine =
                EngineEnvironment.open(environment == null ? EngineEnvironment.usual() : environment, out);
        engine.addSuffixDecoding(out);
        String description =
                "%s; %s with %d of the cores for the model; %d requests of each turn's workload at least, %d known before, %d passes and one to warm up; %d requests shortened"
                        .formatted(
                                figures.where(),
                                engine.describeWithSuffixDecoding(),
                                EngineHarness.modelThreads(),
                                requests,
                                before,
                                passes - 1,
                                traffic.cut());
        out.println(description);
        options.raised().forEach(out::println);
        out.flush();
        try (WorkFolder work = WorkFolder.open(folder, "engine")) {
            EngineBench bench = new EngineBench(engine, traffic, options, line -> {
                out.println(line + " ...");
                out.flush();
            });
            EngineReport report = new EngineReport(bench.run(work.path()));
            report.print(out);
            print(report, out);
            figures.write(json(report, engine.describeWithSuffixDecoding() + ", " + bench.precision()));
            return report.differing() == 0 ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private EngineBench.Options options() {
        for (String size : sizes) {
            if (!SIZES.contains(size)) {
                throw new BadInputException("--size must be one of %s, got %s".formatted(SIZES, size));
            }
        }
        for (double floor : floors) {
            if (!(floor >= 0 && floor < 1)) {
                throw new BadInputException("--floors must be at least 0 and below 1, got %s".formatted(floor));
            }
        }
        return new EngineBench.Options(
                sizes.isEmpty() ? List.of("30m") : sizes,
                batches.isEmpty() ? List.of(1, 4, 16) : batches,
                requests,
                before,
                block,
                passes,
                replicas,
                draftTokens,
                floors,
                eager);
    }

    private void print(EngineReport report, PrintWriter out) {
        int trimmed = report.rows().stream()
                .filter(row -> row.drafter().equals(EngineCell.SUFFIX))
                .mapToInt(EngineCell.Row::trimmed)
                .sum();
        int rounds = report.rows().stream()
                .filter(row -> row.drafter().equals(EngineCell.SUFFIX))
                .mapToInt(EngineCell.Row::rounds)
                .sum();
        out.println(
                "rounds of turns left out for a burst of other load: %d of %d; answers that are not the record's: %d"
                        .formatted(trimmed, rounds, report.differing()));
        out.println(
                "Tailrace to suffix decoding, geometric mean (90 %% interval): alone %s, one of %d replicas %s; lowest to no drafts %s"
                        .formatted(
                                figure(report.aloneToSuffix()),
                                replicas,
                                figure(report.replicaToSuffix()),
                                figure(report.lowestToNone())));
        if (report.aloneToBestFloor() != null) {
            out.println(
                    "Tailrace alone to its best fixed floor of each workload: " + figure(report.aloneToBestFloor()));
        }
        out.flush();
    }

    private static String figure(Double value) {
        return value == null ? "-" : "%.3f".formatted(value);
    }

    private static String figure(TurnTimes.Ratio ratio) {
        if (ratio == null) {
            return "-";
        }
        return ratio.low() == null
                ? "%.3f".formatted(ratio.value())
                : "%.3f (%s)".formatted(ratio.value(), ratio.interval());
    }

    private Map<String, Object> json(EngineReport report, String engine) throws IOException {
        Map<String, Object> json = figures.begin();
        json.put("engine", engine);
        json.putAll(settings());
        json.putAll(report.json());
        return json;
    }

    /** What somebody needs to measure the same again, but for sizes and batches, which each row has. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(
                "inputs",
                inputs.stream().map(input -> input.getFileName().toString()).toList());
        settings.put("requests", requests);
        settings.put("before", before);
        settings.put("block", block);
        settings.put("passes", passes);
        settings.put("replicas", replicas);
        settings.put("promptTokens", promptTokens);
        settings.put("answerTokens", answerTokens);
        settings.put("draftTokens", draftTokens);
        settings.put("floors", floors);
        settings.put("eager", eager);
        EngineBench.Options options = options();
        settings.put(
                "served",
                options.batches().stream()
                        .map(batch -> Map.of(
                                "batch", batch, "requests", options.served(batch), "block", options.block(batch)))
                        .toList());
        return settings;
    }
}
