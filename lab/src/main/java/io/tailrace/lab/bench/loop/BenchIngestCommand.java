package io.tailrace.lab.bench.loop;

import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench ingest}: what indexing costs. */
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Feeds recorded generations, with their prompts, to the job in a process of its own: response tokens per"
                    + " second of that process's processor time, from Kafka through admission, evaluation of 10 %%,"
                    + " indexing and publishing.",
            "Shuffled, and several times, each time with the tokens renamed, so that the text is as repetitive and yet"
                    + " another one: two passes into a lane, of which the first fills it and the second is evaluated"
                    + " against that and merged with it. After the warm-ups, in which the JVM compiles most of what runs,"
                    + " second passes count; the one in the middle is the figure. What the recording for the profile takes"
                    + " of that process's time is told and not charged. Beside it the same figure without what the"
                    + " compilers took, which a job that has run for long comes near. Exit code 1: below the goal."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench ingest --data recordings --json ingest.json")
public final class BenchIngestCommand implements Callable<Integer> {
    private static final long SEED = 20_261_121L;
    /** Response tokens a processor second. */
    static final double GOAL = 600_000;

    @Option(names = "--data", required = true, paramLabel = "FOLDER", description = "Recorded requests (*.jsonl.gz).")
    private Path data;

    @Bounds(min = 1)
    @Option(
            names = "--requests",
            defaultValue = "1000000",
            paramLabel = "N",
            description = "The first N requests of each file. Default: all.")
    private long requests;

    @Bounds(min = 1)
    @Option(
            names = "--warm-ups",
            defaultValue = "9",
            paramLabel = "N",
            description = "Passes before the first that counts, whose lane the last of them fills. At least 1. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int warmUps;

    @Bounds(min = 1)
    @Option(
            names = "--measured",
            defaultValue = "3",
            paramLabel = "N",
            description =
                    "Passes that count, each into a lane that a pass before it has filled. Default: ${DEFAULT-VALUE}.")
    private int measured;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        figures.check();
        Require.recordings("--data", data);
        PrintWriter out = spec.commandLine().getOut();
        List<ReplayCase> cases = cases();
        out.println("%s; %,d generations".formatted(figures.where(), cases.size()));
        out.flush();
        try (WorkFolder folder = WorkFolder.open(null, "ingest")) {
            IngestRun.Result result =
                    new IngestRun(folder.path(), List.of("--evaluation-busy-share", "1")).run(cases, warmUps, measured);
            print(out, result);
            figures.write(json(result));
            return reached(result.median().tokensPerCpuSecond()) ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private static boolean reached(double tokensPerCpuSecond) {
        return tokensPerCpuSecond >= GOAL;
    }

    /** The figure, and on which side of the goal it is. */
    static String verdict(double tokensPerCpuSecond) {
        return "%,d response tokens a processor second, %s the goal of %,d"
                .formatted(Math.round(tokensPerCpuSecond), reached(tokensPerCpuSecond) ? "not below" : "below", (long)
                        GOAL);
    }

    private List<ReplayCase> cases() throws IOException {
        List<ReplayCase> cases = new ArrayList<>();
        try (Stream<Path> listed = Files.list(data)) {
            List<Path> files = listed.filter(
                            file -> file.getFileName().toString().endsWith(".jsonl.gz"))
                    .sorted()
                    .toList();
            StreamReader reader = new StreamReader(RecordedInputOptions.of(ShiftTraffic.VOCABULARY), requests);
            files.forEach(file -> cases.addAll(reader.file(file).cases()));
        }
        if (cases.size() < 2) {
            throw new BadInputException("--data %s: there are no recorded requests in it".formatted(data));
        }
        Collections.shuffle(cases, new Random(SEED));
        return cases;
    }

    private static void print(PrintWriter out, IngestRun.Result result) {
        Table table = new Table(
                "pass",
                "generations",
                "response tokens",
                "cpu s",
                "compiling",
                "recording",
                "wall s",
                "tokens/cpu s",
                "compiled",
                "goal");
        for (IngestRun.Pass pass : result.passes()) {
            table.row(
                    pass.name(),
                    pass.generations(),
                    pass.responseTokens(),
                    pass.cpuSeconds(),
                    pass.compilerSeconds(),
                    pass.recorderSeconds(),
                    pass.wallSeconds(),
                    Math.round(pass.tokensPerCpuSecond()),
                    pass.tokensPerCpuSecondCompiled() == null ? null : Math.round(pass.tokensPerCpuSecondCompiled()),
                    pass.name().equals(IngestRun.MEASURED) ? Math.round(GOAL) : "-");
        }
        table.print(out);
        IngestRun.Pass median = result.median();
        out.println(
                "the figure, of the measured pass in the middle: %s; %,d generations were evaluated in the last two passes"
                        .formatted(verdict(median.tokensPerCpuSecond()), result.evaluated()));
        Table threads = new Table("where its processor time went, by the clocks of threads", "s");
        median.threads().forEach(part -> threads.row(part.part(), part.seconds()));
        threads.print(out);
        Table profile = new Table("samples of the job's own Java threads (all passes, start included)", "share %");
        result.profile().forEach(share -> profile.row(share.part(), 100 * share.share()));
        profile.print(out);
        out.flush();
    }

    private Map<String, Object> json(IngestRun.Result result) throws IOException {
        IngestRun.Pass median = result.median();
        Map<String, Object> all = figures.begin();
        all.put("tokensPerCpuSecond", median.tokensPerCpuSecond());
        all.put("tokensPerCpuSecondCompiled", median.tokensPerCpuSecondCompiled());
        all.put("goal", GOAL);
        all.put("reached", reached(median.tokensPerCpuSecond()));
        all.put("responseTokens", median.responseTokens());
        all.put("generations", median.generations());
        all.put("cpuSeconds", median.cpuSeconds());
        all.put("compilerSeconds", median.compilerSeconds());
        all.put("recorderSeconds", median.recorderSeconds());
        all.put("wallSeconds", median.wallSeconds());
        all.put("evaluated", result.evaluated());
        all.put("passes", result.passes());
        all.put("profile", result.profile());
        return all;
    }
}
