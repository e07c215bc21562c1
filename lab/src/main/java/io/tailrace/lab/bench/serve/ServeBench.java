package io.tailrace.lab.bench.serve;

import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.DraftOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Serves a model and asks it the same with drafts and without, round by round in turn, so that both sides see the same machine.
 *
 * <p>Two workloads. Repetitive: each story asked for in several variants, greedy. Non-repetitive: each asked for once, at temperature
 * 1 with a seed of its own. All cells (workload and batch) are measured in each of several passes, and gains are those of
 * {@link PairedRounds}. A cell has a scope of its own in each pass, so that none drafts from another's answers; what
 * the plain side answers is not remembered. Both sides must answer with the same text; where they do not, it is counted.
 */
public final class ServeBench {
    public static final String REPETITIVE = "repetitive";
    public static final String NON_REPETITIVE = "nonRepetitive";
    /** Until nothing is compiled any more that matters, on both sides alike. */
    private static final int WARM_UP_ROUNDS = 3;

    private final Options options;
    private final StoryPrompts prompts;
    private final LoadRound load;
    private final Consumer<String> progress;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private int divergences;

    /**
     * What is measured.
     *
     * @param batches concurrent requests, one cell each
     * @param passes how often all cells are measured
     * @param stories a cell's in each pass at batch 1; log2(batch) times as many more at larger ones
     * @param variants of each story in the repetitive workload
     * @param roundRequests requests a round; sides take turns round by round
     * @param outputTokens longest answer
     * @param drafts what drafts
     * @param budget most draft tokens a verification
     */
    public record Options(
            List<Integer> batches,
            int passes,
            int stories,
            int variants,
            int roundRequests,
            int outputTokens,
            DraftOptions drafts,
            int budget) {
        public Options {
            batches = List.copyOf(batches);
            if (batches.isEmpty()
                    || passes < 1
                    || stories < 1
                    || variants < 1
                    || roundRequests < 1
                    || outputTokens < 2) {
                throw new IllegalArgumentException("batches, passes, stories, variants, roundRequests must be at least"
                        + " 1, outputTokens at least 2; got " + batches + ", " + passes + ", " + stories + ", "
                        + variants + ", " + roundRequests + ", " + outputTokens);
            }
        }

        /** More for larger batches, which are quicker: a cell shall take its time, or noise is all it shows. */
        int stories(int batch) {
            return stories * (32 - Integer.numberOfLeadingZeros(batch));
        }

        /** Rounds are twice the batch at least: its places are full most of the time. */
        int roundRequests(int batch) {
            return Math.max(roundRequests, 2 * batch);
        }
    }

    /**
     * One side of one cell.
     *
     * @param drafts whether with drafts
     * @param ratio tokens a second by those without drafts, by the medians of pairs
     * @param ratioLow the least of one pass alone
     * @param ratioHigh the largest of one pass alone
     * @param tpotMicrosP50 time of an output token after the first, of a request; median over requests
     */
    public record Row(
            String workload,
            int batch,
            boolean drafts,
            double tokensPerSecond,
            double ratio,
            double ratioLow,
            double ratioHigh,
            double tpotMicrosP50,
            double tpotMicrosP99,
            double tokensPerStep,
            double acceptedPerStep,
            double acceptanceRate,
            long tokens) {}

    /**
     * What came of it.
     *
     * @param rows two a cell
     * @param divergences requests whose two answers differ
     */
    public record Report(List<Row> rows, int divergences) {
        /** The row with drafts. */
        public Row with(String workload, int batch) {
            return rows.stream()
                    .filter(row -> row.drafts() && row.workload().equals(workload) && row.batch() == batch)
                    .findFirst()
                    .orElseThrow();
        }

        /** The least ratio of a workload over all batches. */
        public double ratioMin(String workload) {
            return rows.stream()
                    .filter(row -> row.drafts() && row.workload().equals(workload))
                    .mapToDouble(Row::ratio)
                    .min()
                    .orElseThrow();
        }
    }

    private ServeBench(Options options, StoryPrompts prompts, LoadRound load, Consumer<String> progress) {
        this.options = options;
        this.prompts = prompts;
        this.load = load;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param model taken over
     * @param folder for what the worker keeps
     * @param progress told of each cell as it begins
     */
    public static Report run(
            LanguageModel model, StoryPrompts prompts, Options options, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        int batchMax =
                options.batches().stream().mapToInt(Integer::intValue).max().orElse(1);
        try (BenchServer server =
                new BenchServer(model, options.drafts(), batchMax, options.budget(), options.outputTokens(), folder)) {
            return new ServeBench(options, prompts, server.load(), progress).measure();
        }
    }

    private Report measure() throws IOException, InterruptedException {
        warmUp();
        for (int pass = 0; pass < options.passes(); pass++) {
            progress.accept("pass %d of %d".formatted(pass + 1, options.passes()));
            for (int batch : options.batches()) {
                int stories = options.stories(batch);
                cell(REPETITIVE, batch, pass, 0, prompts.variants(0, stories, options.variants()));
                cell(NON_REPETITIVE, batch, pass, 1, prompts.variants(0, stories * options.variants(), 1));
            }
        }
        List<Row> rows = new ArrayList<>();
        cells.values().forEach(cell -> cell.addRows(rows));
        return new Report(rows, divergences);
    }

    /** The JVM compiles, and the worker measures its steps, before anything counts. */
    private void warmUp() throws IOException, InterruptedException {
        progress.accept("warming up");
        List<StoryPrompts.Prompt> some = prompts.variants(prompts.stories() / 2, 16, 1);
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            for (int batch : options.batches()) {
                for (double temperature : new double[] {0, 1}) {
                    load.run(some, batch, temperature, "warm-up-" + batch, true);
                    load.run(some, batch, temperature, "warm-up-" + batch, false);
                }
            }
        }
    }

    private void cell(String workload, int batch, int pass, double temperature, List<StoryPrompts.Prompt> asked)
            throws IOException, InterruptedException {
        Cell cell = cells.computeIfAbsent(workload + batch, key -> new Cell(workload, batch));
        String scope = "%s-%d-%d".formatted(workload, batch, pass);
        int roundRequests = options.roundRequests(batch);
        for (int from = 0, round = 0; from < asked.size(); from += roundRequests, round++) {
            List<StoryPrompts.Prompt> part = asked.subList(from, Math.min(asked.size(), from + roundRequests));
            boolean draftsFirst = (round + pass) % 2 == 1;
            LoadRound.Result first = load.run(part, batch, temperature, scope, draftsFirst);
            LoadRound.Result second = load.run(part, batch, temperature, scope, !draftsFirst);
            cell.add(round, draftsFirst ? first : second, draftsFirst ? second : first);
            countDivergences(first, second);
        }
    }

    private void countDivergences(LoadRound.Result one, LoadRound.Result other) {
        for (int i = 0; i < one.samples().size(); i++) {
            if (!one.samples().get(i).text().equals(other.samples().get(i).text())) {
                divergences++;
            }
        }
    }

    /** One workload at one batch, over all passes. */
    private static final class Cell {
        private final String workload;
        private final int batch;
        private final SideTotal with = new SideTotal();
        private final SideTotal without = new SideTotal();
        private final PairedRounds pairs = new PairedRounds();

        Cell(String workload, int batch) {
            this.workload = workload;
            this.batch = batch;
        }

        void add(int round, LoadRound.Result drafted, LoadRound.Result plain) {
            with.add(drafted);
            without.add(plain);
            pairs.add(round, (double) plain.nanos(), plain.tokens() * drafted.nanosPerToken());
        }

        void addRows(List<Row> rows) {
            double[] passes = Arrays.stream(pairs.gainsOfPasses()).sorted().toArray();
            rows.add(without.row(workload, batch, false, 1, 1, 1));
            rows.add(with.row(workload, batch, true, pairs.gain(), passes[0], passes[passes.length - 1]));
        }
    }

    /** What one side of a comparison adds up to. */
    static final class SideTotal {
        private static final long MICROS_MAX = 60_000_000;

        private final Histogram outputTokenNanos = new Histogram(MICROS_MAX * 1_000, 3);
        private long tokens;
        private long steps;
        private long drafted;
        private long accepted;
        private long nanos;

        void add(LoadRound.Result round) {
            nanos += round.nanos();
            add(round.samples());
        }

        private void add(List<LoadRound.Sample> samples) {
            for (LoadRound.Sample sample : samples) {
                tokens += sample.tokens();
                steps += sample.steps();
                drafted += sample.drafted();
                accepted += sample.accepted();
                if (sample.outputTokenMicros() > 0) {
                    outputTokenNanos.recordValue(Math.round(sample.outputTokenMicros() * 1_000));
                }
            }
        }

        double tokensPerSecond() {
            return tokens * 1e9 / nanos;
        }

        /** The bench's row of this side; {@code ratio} is its gain, with the least and the largest of a pass. */
        Row row(String workload, int batch, boolean drafts, double ratio, double ratioLow, double ratioHigh) {
            return new Row(
                    workload,
                    batch,
                    drafts,
                    tokensPerSecond(),
                    ratio,
                    ratioLow,
                    ratioHigh,
                    outputTokenNanos.getValueAtPercentile(50) / 1e3,
                    outputTokenNanos.getValueAtPercentile(99) / 1e3,
                    steps == 0 ? 0 : (double) tokens / steps,
                    steps == 0 ? 0 : (double) accepted / steps,
                    drafted == 0 ? 0 : (double) accepted / drafted,
                    tokens);
        }
    }
}
