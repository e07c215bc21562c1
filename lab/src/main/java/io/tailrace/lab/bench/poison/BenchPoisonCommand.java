package io.tailrace.lab.bench.poison;

import io.tailrace.lab.bench.poison.PoisonedReplay.Dose;
import io.tailrace.lab.bench.poison.PoisonedReplay.Served;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.lab.replay.StreamReader;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace bench poison}: what a producer who floods a scope costs the others. */
@Command(
        name = "poison",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Plays a producer who writes junk into a scope while others are served from it. Replays recorded requests"
                    + " of one lane; in the middle third of them junk comes between their answers.",
            "Says what share of their accepted tokens a step the others lose, and how many requests pass behind the"
                    + " flood's end until nearly all of it is back for good (95 in 100)."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench poison --input text2sql.jsonl.gz code.jsonl.gz --json poison.json")
public final class BenchPoisonCommand implements Callable<Integer> {
    private static final int REQUESTS_MIN = 3 * Damage.WINDOW;

    @Mixin
    private StreamReader.Options input = new StreamReader.Options();

    @Bounds(min = REQUESTS_MIN)
    @Option(
            names = "--requests",
            defaultValue = "600",
            paramLabel = "N",
            description = "The first N requests of each file, all in one scope. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Bounds(min = 1, max = 1_000)
    @Option(
            names = "--times",
            paramLabel = "N",
            description = "Answers of junk for each honest one; repeatable. Default: 1, 4 and 16.")
    private List<Integer> times = new ArrayList<>();

    @Bounds(min = 1)
    @Option(
            names = "--pace",
            defaultValue = "1",
            paramLabel = "R",
            description = "Honest requests a second, by which quotas refill. Default: ${DEFAULT-VALUE}.")
    private double pace;

    @Bounds(min = 1)
    @Option(
            names = "--quota",
            defaultValue = "2",
            paramLabel = "X",
            description = "Quotas are so many times what honest requests bring. Default: ${DEFAULT-VALUE}.")
    private double quota;

    @Bounds(min = 1, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Draft tokens a verification. Default: ${DEFAULT-VALUE}.")
    private int budget;

    @Option(names = "--seed", defaultValue = "42", paramLabel = "N", description = "Seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    /**
     * One flood of one workload.
     *
     * @param times answers of junk for each honest one
     * @param quota whose tokens a bucket counts
     * @param acceptedPerStep without the flood, of the requests that it had
     * @param lostDuring share lost while it ran
     * @param lostAfter share lost behind it
     * @param recoveredAfter requests behind its end from which on 95 % are back; null: not in the recording
     * @param recoveredSeconds the same at the pace; null: not in the recording
     * @param junkAdmitted answers of the flood that got in
     * @param honestRefused honest answers that a quota kept out
     */
    record Row(
            String workload,
            String flood,
            int times,
            String quota,
            double acceptedPerStep,
            double lostDuring,
            double lostAfter,
            Integer recoveredAfter,
            Double recoveredSeconds,
            int junkAdmitted,
            int honestRefused) {}

    @Override
    public Integer call() throws Exception {
        figures.check();
        PrintWriter out = spec.commandLine().getOut();
        List<Row> rows = new ArrayList<>();
        for (ReplayStream stream : input.streams(requests)) {
            out.println(stream.name() + " ...");
            out.flush();
            rows.addAll(rows(stream.inOneScope()));
        }
        out.println(figures.where());
        print(rows, out);
        Map<String, Object> all = figures.begin();
        all.put("rows", rows);
        figures.write(all);
        return ExitCodes.DONE;
    }

    private List<Row> rows(ReplayStream stream) {
        if (stream.cases().size() < REQUESTS_MIN) {
            throw new BadInputException(
                    "a file must have at least %d requests with 2 or more response tokens, %s has %d"
                            .formatted(
                                    REQUESTS_MIN, stream.name(), stream.cases().size()));
        }
        PoisonedReplay replay = new PoisonedReplay(stream.cases(), budget, pace);
        Served clean = replay.run(Optional.empty(), quotas(Quotas.Kind.NONE, replay));
        List<Row> rows = new ArrayList<>();
        List<Integer> doses = times.isEmpty() ? List.of(1, 4, 16) : times;
        for (Flood flood : Flood.values()) {
            for (int dose : doses) {
                rows.add(row(stream.name(), replay, clean, flood, dose, Quotas.Kind.NONE));
            }
            int most = doses.get(doses.size() - 1);
            rows.add(row(stream.name(), replay, clean, flood, most, Quotas.Kind.SCOPE));
            rows.add(row(stream.name(), replay, clean, flood, most, Quotas.Kind.PRODUCER));
        }
        return rows;
    }

    private Row row(String workload, PoisonedReplay replay, Served clean, Flood flood, int dose, Quotas.Kind kind) {
        Served poisoned = replay.run(Optional.of(new Dose(flood, dose, seed)), quotas(kind, replay));
        Damage damage = Damage.of(clean, poisoned, replay.floodFrom(), replay.floodTo());
        return new Row(
                workload,
                flood.title(),
                dose,
                kind.title(),
                clean.acceptedPerStep(replay.floodFrom(), replay.floodTo()),
                damage.lostDuring(),
                damage.lostAfter(),
                damage.recoveredAfter(),
                damage.recoveredAfter() == null ? null : damage.recoveredAfter() / pace,
                poisoned.junkAdmitted(),
                poisoned.honestRefused());
    }

    private Quotas quotas(Quotas.Kind kind, PoisonedReplay replay) {
        return new Quotas(kind, quota * replay.tokensPerMinute());
    }

    private static void print(List<Row> rows, PrintWriter out) {
        Table table = new Table(
                "workload",
                "flood",
                "times",
                "quota",
                "accepted/step",
                "lost during",
                "lost after",
                "95 % after requests",
                "seconds",
                "junk in",
                "honest refused");
        for (Row row : rows) {
            boolean recovered = row.recoveredAfter() != null;
            table.row(
                    row.workload(),
                    row.flood(),
                    row.times(),
                    row.quota(),
                    row.acceptedPerStep(),
                    percent(row.lostDuring()),
                    percent(row.lostAfter()),
                    recovered ? row.recoveredAfter() : "not here",
                    recovered ? row.recoveredSeconds() : "",
                    row.junkAdmitted(),
                    row.honestRefused());
        }
        table.print(out);
        out.flush();
    }

    private static String percent(double share) {
        return "%.1f %%".formatted(100 * share);
    }
}
