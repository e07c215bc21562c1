package io.tailrace.lab.bench.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures drafting in one thread on a large lane of recorded answers, in segment files as the job leaves them, prompts' tails and
 * signatures included. The requests drafted for are held back from the lane. For each budget five passes over them: one warms up, one is
 * timed, one counts what is allocated, one times the searches of the shared index inside the drafts, and one serves
 * {@value DraftPass#AT_ONCE} requests a step each in turn, so that each draft finds what it reads out of the caches. At last
 * {@value DraftPass#RANDOM_PLACES} single drafts are timed, each at a place at random of a request at random.
 */
public final class DraftBench {
    /** Every run drafts at the same places. */
    private static final long RANDOM_SEED = 1;

    private final Options options;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();

    private DraftBench(Options options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * What to measure.
     *
     * @param tokens size of the lane, at least 10,000
     * @param data folder of recorded requests
     * @param vocabulary their token ids are below it; may be as large as an int
     * @param budgets draft tokens a verification
     * @param strategy which drafter; with the shipped weights
     * @param freshRequests how many of the worker's own generations are in no segment yet
     */
    public record Options(
            long tokens, Path data, int vocabulary, List<Integer> budgets, StrategyChoice strategy, int freshRequests) {
        public Options {
            budgets = List.copyOf(budgets);
            if (tokens < 10_000 || freshRequests < 0) {
                throw new IllegalArgumentException(
                        "tokens must be >= 10000 and freshRequests >= 0, got " + tokens + " and " + freshRequests);
            }
        }
    }

    /** One figure. */
    public record Row(String what, long tokens, int budget, double value, String unit) {}

    /**
     * All figures.
     *
     * @param segmentTokens sizes of the segments, oldest first, the newest last
     */
    public record Report(List<Long> segmentTokens, int requests, List<Row> rows) {
        public Report {
            segmentTokens = List.copyOf(segmentTokens);
            rows = List.copyOf(rows);
        }
    }

    /** Measures; building 5M tokens takes some seconds, a budget about a minute in all. */
    public static Report run(Options options, Consumer<String> progress) throws IOException {
        return new DraftBench(options, progress).run();
    }

    private Report run() throws IOException {
        progress.accept("reading " + options.data());
        MixedTraffic traffic = MixedTraffic.read(options.data(), options.vocabulary());
        int[] lengths = traffic.answers().stream()
                .mapToInt(answer -> answer.tokens().length)
                .toArray();
        LaneGrowth layout = LaneGrowth.grow(lengths, options.tokens());
        List<Long> sizes = sizes(layout, lengths);
        progress.accept("building segments of %s tokens".formatted(sizes));
        Path folder = Files.createTempDirectory("tailrace-bench-draft");
        SegmentIdentity identity = new SegmentIdentity("bench@1/bench", options.vocabulary(), "bench");
        try (MappedLane lane = MappedLane.build(traffic.answers(), layout, options.freshRequests(), identity, folder)) {
            long tokens = sizes.stream().mapToLong(Long::longValue).sum();
            for (int budget : options.budgets()) {
                measure(traffic, lane.index(), tokens, budget);
            }
            return new Report(sizes, traffic.heldBack().size(), rows);
        } finally {
            deleteAll(folder);
        }
    }

    private static List<Long> sizes(LaneGrowth layout, int[] lengths) {
        List<Long> sizes = new ArrayList<>();
        int at = 0;
        for (int end : layout.ends()) {
            long size = 0;
            for (; at < end; at++) {
                size += lengths[at];
            }
            sizes.add(size);
        }
        return sizes;
    }

    private void measure(MixedTraffic traffic, LaneIndex lane, long tokens, int budget) {
        progress.accept("drafting at budget " + budget);
        Drafter drafter = options.strategy().drafter(new float[0]);
        new DraftPass(traffic.heldBack(), lane, budget).time(drafter);
        DraftPass timed = new DraftPass(traffic.heldBack(), lane, budget).time(drafter);
        DraftPass counted = new DraftPass(traffic.heldBack(), lane, budget).countAllocation(drafter);
        DraftPass.TimedIndex.Searches searches = new DraftPass.TimedIndex.Searches();
        DraftPass searched =
                new DraftPass(traffic.heldBack(), DraftPass.TimedIndex.around(lane, searches), budget).time(drafter);
        DraftPass inTurn = new DraftPass(traffic.heldBack(), lane, budget)
                .timeInTurn(() -> options.strategy().drafter(new float[0]));
        DraftPass atRandom =
                new DraftPass(traffic.heldBack(), lane, budget).timeAtRandom(drafter, new Random(RANDOM_SEED));
        addTimes("draft", tokens, budget, timed.drafts());
        addTimes("firstDraft", tokens, budget, timed.firstDrafts());
        addTimes("prepare", tokens, budget, timed.prepared());
        addTimes("inTurn", tokens, budget, inTurn.drafts());
        addTimes("inTurnFirstDraft", tokens, budget, inTurn.firstDrafts());
        addTimes("inTurnPrepare", tokens, budget, inTurn.prepared());
        addTimes("random", tokens, budget, atRandom.drafts());
        addTimes("randomPrepare", tokens, budget, atRandom.prepared());
        addTimes("verified", tokens, budget, timed.learned());
        add("draftMean", tokens, budget, timed.drafts().microsMean(), "us");
        add("allocation", tokens, budget, counted.allocatedBytesPerDraft(), "bytes/draft");
        add("searches", tokens, budget, perStep(searches.count, searched), "/draft");
        add("searchFound", tokens, budget, perStep(searches.found, searched), "occurrences/draft");
        add("searchMean", tokens, budget, perStep(searches.nanos, searched) / 1e3, "us/draft");
        add("verifiedMean", tokens, budget, timed.learned().microsMean(), "us");
        add("draftedPerStep", tokens, budget, timed.draftedPerStep(), "tokens");
        add("acceptedPerStep", tokens, budget, timed.acceptedPerStep(), "tokens");
        add("drafts", tokens, budget, timed.steps(), "");
    }

    private static double perStep(long sum, DraftPass pass) {
        return pass.steps() == 0 ? 0 : (double) sum / pass.steps();
    }

    private void addTimes(String what, long tokens, int budget, DraftPass.Times times) {
        add(what + "P50", tokens, budget, times.micros(0.5), "us");
        add(what + "P99", tokens, budget, times.micros(0.99), "us");
    }

    private void add(String what, long tokens, int budget, double value, String unit) {
        rows.add(new Row(what, tokens, budget, value, unit));
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A lane in real segment files, mapped, as a worker holds it. Owns the maps. */
    static final class MappedLane implements AutoCloseable {
        private final List<Segment> segments = new ArrayList<>();
        private final FreshIndex fresh;

        private MappedLane(FreshIndex fresh) {
            this.fresh = fresh;
        }

        /**
         * Writes and maps.
         *
         * @param freshRequests how many generations after the layout's last are the worker's fresh ones
         */
        static MappedLane build(
                List<RememberedAnswer> answers,
                LaneGrowth layout,
                int freshRequests,
                SegmentIdentity identity,
                Path folder)
                throws IOException {
            FreshIndex fresh = freshRequests == 0 ? null : new FreshIndex(Integer.MAX_VALUE);
            MappedLane lane = new MappedLane(fresh);
            int from = 0;
            for (int end : layout.ends()) {
                Path segment = Compaction.flush(inputs(answers, from, end), identity, folder)
                        .files()
                        .segment();
                lane.segments.add(Segment.reopen(segment, identity));
                from = end;
            }
            for (int i = from; i < Math.min(from + freshRequests, answers.size()); i++) {
                fresh.add(answers.get(i), i);
            }
            return lane;
        }

        LaneIndex index() {
            int last = segments.size() - 1;
            return new LaneIndex(segments.subList(0, last), segments.get(last), fresh);
        }

        private static List<Compaction.Input> inputs(List<RememberedAnswer> answers, int from, int end) {
            List<Compaction.Input> inputs = new ArrayList<>();
            for (int i = from; i < end; i++) {
                inputs.add(new Compaction.Input(new GenerationEntry(i, i, "bench", i), answers.get(i)));
            }
            return inputs;
        }

        @Override
        public void close() {
            segments.forEach(Segment::close);
        }
    }
}
