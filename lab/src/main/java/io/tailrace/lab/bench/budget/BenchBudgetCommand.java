package io.tailrace.lab.bench.budget;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.lab.bench.budget.BudgetBench.Run;
import io.tailrace.lab.bench.budget.BudgetBench.StepCost;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.FiguresFile;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tailrace bench budget}: the measured budget against the best fixed floor, with a simulated clock. */
@Command(
        name = "budget",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Does the measured budget draft as much as pays? Decodes recorded requests with a simulated step time, by the budget that"
                    + " engines use and by fixed floors of probability. Says what the budget's speed is to the best floor's, found by"
                    + " trying for each workload and cost; the same of the first eighth, in which costs have to be learned; and the same in a"
                    + " fleet, which announces what its requests report of step times.",
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace bench budget --input code.jsonl.gz chat.jsonl.gz --cost 12500+700 --cost 2000+600")
public final class BenchBudgetCommand implements Callable<Integer> {
    private static final float NO_DRAFTS = Math.nextDown(1f);
    private static final float[] FLOORS = {0.03f, 0.06f, 0.1f, 0.15f, 0.2f, 0.3f, 0.45f, 0.6f, 0.75f, 0.9f, NO_DRAFTS};
    private static final int FIRST = 8;
    private static final int PROMPT_TOKENS_MAX = 1_024;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description = "Recorded requests, JSON lines, plain or gzip; each file is a workload.")
    private List<Path> inputs = new ArrayList<>();

    @Option(
            names = "--cost",
            paramLabel = "BASE+ROW",
            converter = CostConverter.class,
            description =
                    "Microseconds of a step, and of each token that it computes; repeatable. Default: 12500+700 and 2000+600.")
    private List<StepCost> costs = new ArrayList<>();

    @Bounds(min = 0, max = 1)
    @Option(
            names = "--noise",
            defaultValue = "0.12",
            paramLabel = "X",
            description =
                    "How much measured step times vary: standard deviation of their logarithm. Default: ${DEFAULT-VALUE}.")
    private double noise;

    @Bounds(min = 0)
    @Option(
            names = "--before",
            defaultValue = "300",
            paramLabel = "N",
            description = "Requests of each workload whose answers the lane knows. Default: ${DEFAULT-VALUE}.")
    private int before;

    @Bounds(min = FIRST)
    @Option(
            names = "--requests",
            defaultValue = "200",
            paramLabel = "N",
            description = "Requests of each workload that are decoded. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Bounds(min = 1, max = DraftPolicy.BUDGET_MAX)
    @Option(
            names = "--budget",
            defaultValue = "16",
            paramLabel = "N",
            description = "Most draft tokens a step. Default: ${DEFAULT-VALUE}.")
    private int budget;

    @Bounds(min = 1, max = BudgetChoice.BATCH_EXACT)
    @Option(names = "--batch", paramLabel = "N", description = "Requests at a time; repeatable. Default: 1, 4 and 16.")
    private List<Integer> batches = new ArrayList<>();

    @Mixin
    private FiguresFile figures = new FiguresFile();

    @Spec
    private CommandSpec spec;

    /**
     * One workload at one cost.
     *
     * @param batch requests at a time
     * @param toBest the measured budget's speed, of the best floor's
     * @param firstToBest the same of the first eighth of the requests
     * @param fleetToBest the same of all requests, in a fleet that announces what they report
     */
    record Row(
            String workload,
            int batch,
            long baseMicros,
            long rowMicros,
            float bestFloor,
            double floorTokensPerStep,
            double floorDraftedPerStep,
            double tokensPerStep,
            double draftedPerStep,
            double toBest,
            double firstToBest,
            double fleetToBest) {
        double lower() {
            return Math.min(toBest, fleetToBest);
        }
    }

    private static final class CostConverter implements ITypeConverter<StepCost> {
        private static final Pattern COST = Pattern.compile("(\\d{1,9})\\+(\\d{1,9})");

        @Override
        public StepCost convert(String text) {
            Matcher parts = COST.matcher(text);
            if (!parts.matches()) {
                throw new TypeConversionException("a cost is two numbers of microseconds, 12500+700, got " + text);
            }
            return new StepCost(1_000 * Long.parseLong(parts.group(1)), 1_000 * Long.parseLong(parts.group(2)));
        }
    }

    @Override
    public Integer call() throws Exception {
        figures.check();
        PrintWriter out = spec.commandLine().getOut();
        List<Row> rows = new ArrayList<>();
        for (Path input : inputs) {
            List<RecordedRequest> read = read(input);
            for (StepCost cost : costs.isEmpty() ? List.of(micros(12_500, 700), micros(2_000, 600)) : costs) {
                for (int batch : batches.isEmpty() ? List.of(1, 4, 16) : batches) {
                    rows.add(row(read, cost, batch));
                }
            }
        }
        print(rows, out);
        Map<String, Object> json = figures.begin();
        json.put("noise", noise);
        json.put("measuredToBestFloor", mean(rows, Row::toBest));
        json.put("fleetToBestFloor", mean(rows, Row::fleetToBest));
        json.put("lowest", lowest(rows));
        json.put("rows", rows);
        figures.write(json);
        return ExitCodes.DONE;
    }

    private static StepCost micros(long base, long row) {
        return new StepCost(1_000 * base, 1_000 * row);
    }

    private List<RecordedRequest> read(Path input) {
        List<RecordedRequest> read = new ArrayList<>();
        RecordedInputOptions options =
                RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED).withPromptTokensMax(PROMPT_TOKENS_MAX);
        try (RecordedInput in = RecordedInput.strict(List.of(input), options)) {
            while (in.hasNext() && read.size() < before + requests) {
                read.add(in.next());
            }
        }
        if (read.size() < before + FIRST) {
            throw new BadInputException("%s has %d requests, and the first %d are known before: give a smaller --before"
                    .formatted(input, read.size(), before));
        }
        return read;
    }

    private Row row(List<RecordedRequest> read, StepCost cost, int batch) {
        List<RecordedRequest> known = read.subList(0, before);
        List<RecordedRequest> asked = read.subList(before, read.size());
        List<RecordedRequest> first = asked.subList(0, asked.size() / FIRST);
        BudgetBench bench = new BudgetBench(cost, noise, budget, batch);
        float bestFloor = FLOORS[0];
        Run best = null;
        for (float floor : FLOORS) {
            Run run = bench.run(known, asked, () -> BudgetChoice.fixed(floor));
            if (best == null || run.nanos() < best.nanos()) {
                best = run;
                bestFloor = floor;
            }
        }
        float floor = bestFloor;
        Run measured = bench.run(known, asked, BudgetChoice::measured);
        Run fleet = bench.runReporting(known, asked, BudgetChoice::measured);
        Run firstBest = bench.run(known, first, () -> BudgetChoice.fixed(floor));
        Run firstMeasured = bench.run(known, first, BudgetChoice::measured);
        return new Row(
                asked.get(0).workload(),
                batch,
                cost.baseNanos() / 1_000,
                cost.rowNanos() / 1_000,
                bestFloor,
                best.tokensPerStep(),
                best.draftedPerStep(),
                measured.tokensPerStep(),
                measured.draftedPerStep(),
                (double) best.nanos() / measured.nanos(),
                (double) firstBest.nanos() / firstMeasured.nanos(),
                (double) best.nanos() / fleet.nanos());
    }

    private static double mean(List<Row> rows, ToDoubleFunction<Row> figure) {
        return Math.exp(rows.stream()
                .mapToDouble(row -> Math.log(figure.applyAsDouble(row)))
                .average()
                .orElseThrow());
    }

    private static double lowest(List<Row> rows) {
        return rows.stream().mapToDouble(Row::lower).min().orElseThrow();
    }

    private static void print(List<Row> rows, PrintWriter out) {
        Table table = new Table(
                "workload",
                "batch",
                "step us",
                "row us",
                "best floor",
                "its tokens/step",
                "its drafted/step",
                "measured tokens/step",
                "drafted/step",
                "to best",
                "first eighth",
                "fleet");
        for (Row row : rows) {
            table.row(
                    row.workload(),
                    row.batch(),
                    row.baseMicros(),
                    row.rowMicros(),
                    "%.2f".formatted(row.bestFloor()),
                    row.floorTokensPerStep(),
                    row.floorDraftedPerStep(),
                    row.tokensPerStep(),
                    row.draftedPerStep(),
                    "%.3f".formatted(row.toBest()),
                    "%.3f".formatted(row.firstToBest()),
                    "%.3f".formatted(row.fleetToBest()));
        }
        table.print(out);
        out.println(
                "speed of the measured budget, of the best floor's: %.3f (geometric mean), in a fleet %.3f; lowest %.3f"
                        .formatted(mean(rows, Row::toBest), mean(rows, Row::fleetToBest), lowest(rows)));
        out.flush();
    }
}
