package io.tailrace.lab.bench.index;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Measures the index in one thread: build, merge, open, nearest, append, bytes a token. Times are wall times and include
 * everything a job or worker waits for: a build folds repeats, sorts, writes, forces to disk and verifies by reading back. Where prompts are
 * known, the same is built and merged as the job keeps it by default, with prompts' tails and signatures, in turn with what has none.
 */
public final class IndexBench {
    private static final SegmentIdentity LANE = new SegmentIdentity("bench@1/bench", Corpus.VOCABULARY, "bench");
    private static final int WARM_UP_TOKENS = 400_000;
    private static final int ROUNDS = 3;
    private static final int OPENS = 21;
    private static final int QUERIES = 200_000;
    private static final int NEAREST = 16;
    private static final int CONTEXT_TOKENS = 256;
    private static final int APPEND_CONTEXT_TOKENS = 8192;
    private static final int HELD_OUT_SHARE = 50;
    private static final double NEWEST_SHARE = 0.1;
    private static final int NEW_FILES = 4;

    private IndexBench() {}

    /**
     * What to measure.
     *
     * @param tokens size of the segment, at least 10,000
     * @param data folder of recorded requests, or null for synthetic documents
     */
    public record Options(long tokens, Path data) {
        public Options {
            if (tokens < 10_000) {
                throw new IllegalArgumentException("tokens must be >= 10000, got " + tokens);
            }
        }
    }

    /** One figure. */
    public record Row(String what, long tokens, double value, String unit) {}

    /** All figures. */
    public record Report(List<Row> rows) {
        public Report {
            rows = List.copyOf(rows);
        }
    }

    /** Measures; 5M tokens take well under a minute. */
    public static Report run(Options options) throws IOException {
        Path folder = Files.createTempDirectory("tailrace-bench-index");
        try {
            measure(Corpus.synthetic(WARM_UP_TOKENS, 7), folder.resolve("warm-up"));
            long tokens = options.tokens();
            Corpus corpus =
                    options.data() == null ? Corpus.synthetic(tokens, 1) : Corpus.recorded(options.data(), tokens);
            return new Report(measure(corpus, folder.resolve("measured")));
        } finally {
            deleteAll(folder);
        }
    }

    private static List<Row> measure(Corpus corpus, Path folder) throws IOException {
        List<int[]> indexed = new ArrayList<>();
        List<int[]> heldOut = new ArrayList<>();
        Kept bare = new Kept(folder);
        Kept whole = new Kept(folder);
        for (int i = 0; i < corpus.documents().size(); i++) {
            int[] document = corpus.documents().get(i);
            if (i % HELD_OUT_SHARE == HELD_OUT_SHARE - 1) {
                heldOut.add(document);
                continue;
            }
            indexed.add(document);
            bare.add(RememberedAnswer.of(document));
            if (!corpus.prompts().isEmpty()) {
                whole.add(RememberedAnswer.of(corpus.prompts().get(i), RememberedAnswer.TAIL_TOKENS, document));
            }
        }
        List<Kept> kinds = whole.generations.isEmpty() ? List.of(bare) : List.of(bare, whole);
        for (int i = 0; i < ROUNDS; i++) {
            for (Kept kept : kinds) {
                kept.round();
            }
        }
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("build", bare.tokens, median(bare.builds), "M tokens/s"));
        rows.add(new Row("merge", bare.tokens, median(bare.merges), "M tokens/s"));
        measureReading(bare.built, heldOut, bare.tokens, rows);
        rows.add(new Row("append", bare.tokens, append(indexed) / 1e6, "M tokens/s"));
        rows.add(new Row("bytesPerToken", bare.tokens, bare.bytesPerToken(), "bytes"));
        if (kinds.contains(whole)) {
            rows.add(new Row("buildWithPrompts", whole.tokens, median(whole.builds), "M tokens/s"));
            rows.add(new Row("mergeWithPrompts", whole.tokens, median(whole.merges), "M tokens/s"));
            rows.add(new Row("bytesPerTokenWithPrompts", whole.tokens, whole.bytesPerToken(), "bytes"));
            rows.add(new Row("bytesPerAnswer", bare.tokens, bare.bytesPerAnswer(), "bytes"));
            rows.add(new Row("bytesPerAnswerWithPrompts", whole.tokens, whole.bytesPerAnswer(), "bytes"));
        }
        return rows;
    }

    /** Generations of one kind, built into a segment and merged, round by round. */
    private static final class Kept {
        private final List<Compaction.Input> generations = new ArrayList<>();
        private final List<Double> builds = new ArrayList<>();
        private final List<Double> merges = new ArrayList<>();
        private final Path folder;
        private long tokens;
        private Compaction.Result built;

        Kept(Path folder) {
            this.folder = folder;
        }

        void add(RememberedAnswer answer) {
            int id = generations.size();
            generations.add(new Compaction.Input(new GenerationEntry(id, id, "bench", id), answer));
            tokens += answer.tokens().length;
        }

        void round() throws IOException {
            long start = System.nanoTime();
            built = Compaction.flush(generations, LANE, folder);
            builds.add(tokens / seconds(start) / 1e6);
            merges.add(merge() / 1e6);
        }

        /** Small new files are folded into a much larger segment, as a fold and the merges after it do. */
        private double merge() throws IOException {
            int cut = (int) (generations.size() * (1 - NEWEST_SHARE));
            List<Compaction.Files> inputs = new ArrayList<>();
            inputs.add(flush(0, cut));
            for (int i = 0; i < NEW_FILES; i++) {
                int from = cut + (generations.size() - cut) * i / NEW_FILES;
                int to = cut + (generations.size() - cut) * (i + 1) / NEW_FILES;
                inputs.add(flush(from, to));
            }
            long start = System.nanoTime();
            Compaction.merge(inputs, Retention.everything(), LANE, folder);
            return tokens / seconds(start);
        }

        private Compaction.Files flush(int from, int to) throws IOException {
            return Compaction.flush(generations.subList(from, to), LANE, folder).files();
        }

        /** Of the answers: what is kept of prompts costs bytes and is no token of theirs. */
        double bytesPerToken() {
            return (double) built.summary().sizeBytes() / tokens;
        }

        double bytesPerAnswer() {
            return (double) built.summary().sizeBytes() / generations.size();
        }
    }

    private static void measureReading(Compaction.Result built, List<int[]> heldOut, long tokens, List<Row> rows)
            throws IOException {
        int[][] contexts = contexts(heldOut);
        double[] opens = new double[OPENS];
        for (int i = 0; i < OPENS; i++) {
            long start = System.nanoTime();
            try (Segment segment = Segment.reopen(built.files().segment(), LANE)) {
                segment.nearest(contexts[i], contexts[i].length, NEAREST, 0, new Occurrences());
                opens[i] = seconds(start) * 1e3;
            }
        }
        rows.add(new Row("open", tokens, median(opens), "ms to first answer"));
        try (Segment segment = Segment.reopen(built.files().segment(), LANE)) {
            nearest(segment, contexts);
            double[] micros = nearest(segment, contexts);
            Arrays.sort(micros);
            rows.add(new Row("nearestP50", tokens, micros[micros.length / 2], "us, K = " + NEAREST));
            rows.add(new Row("nearestP99", tokens, micros[micros.length / 100 * 99], "us, K = " + NEAREST));
        }
    }

    private static double[] nearest(Segment segment, int[][] contexts) {
        Occurrences found = new Occurrences();
        double[] micros = new double[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            int[] context = contexts[i % contexts.length];
            long start = System.nanoTime();
            found.clear();
            segment.nearest(context, context.length, NEAREST, 0, found);
            micros[i] = (System.nanoTime() - start) / 1e3;
        }
        return micros;
    }

    /** Places in held-out documents, shuffled: what a worker asks for, and no cache is warm for the next one. */
    private static int[][] contexts(List<int[]> documents) {
        Random random = new Random(3);
        int[][] contexts = new int[Math.min(QUERIES, 50_000)][];
        for (int i = 0; i < contexts.length; i++) {
            int[] document = documents.get(random.nextInt(documents.size()));
            int end = 1 + random.nextInt(document.length);
            contexts[i] = Arrays.copyOfRange(document, Math.max(0, end - CONTEXT_TOKENS), end);
        }
        return contexts;
    }

    private static double append(List<int[]> documents) {
        ContextAutomaton automaton = new ContextAutomaton();
        double[] rates = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            long appended = 0;
            for (int[] document : documents) {
                if (automaton.length() >= APPEND_CONTEXT_TOKENS) {
                    automaton.reset();
                }
                for (int token : document) {
                    automaton.append(token);
                }
                appended += document.length;
            }
            rates[i] = appended / seconds(start);
        }
        return median(rates);
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private static double median(List<Double> values) {
        return median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
