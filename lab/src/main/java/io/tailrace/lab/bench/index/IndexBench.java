package io.tailrace.lab.bench.index;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.Occurrences;
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
 * everything a job or worker waits for: a build folds repeats, sorts, writes, forces to disk and verifies by reading back.
 */
public final class IndexBench {
    private static final SegmentIdentity LANE = new SegmentIdentity("bench@1/bench", Corpus.VOCABULARY, "bench");
    private static final int WARM_UP_TOKENS = 400_000;
    private static final int BUILDS = 3;
    private static final int OPENS = 21;
    private static final int QUERIES = 200_000;
    private static final int NEAREST = 16;
    private static final int CONTEXT_TOKENS = 256;
    private static final int APPEND_CONTEXT_TOKENS = 8192;
    private static final int HELD_OUT_SHARE = 50;
    private static final double NEWEST_SHARE = 0.1;
    private static final int LEVEL0_FILES = 4;

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
        for (int[] document : corpus.documents()) {
            boolean held = (indexed.size() + heldOut.size()) % HELD_OUT_SHARE == HELD_OUT_SHARE - 1;
            (held ? heldOut : indexed).add(document);
        }
        List<Compaction.Input> generations = generations(indexed);
        long tokens = new Corpus(indexed).tokens();
        List<Row> rows = new ArrayList<>();
        double[] builds = new double[BUILDS];
        Compaction.Result built = null;
        for (int i = 0; i < BUILDS; i++) {
            long start = System.nanoTime();
            built = Compaction.flush(generations, LANE, folder);
            builds[i] = tokens / seconds(start);
        }
        rows.add(new Row("build", tokens, median(builds) / 1e6, "M tokens/s"));
        rows.add(new Row("merge", tokens, merge(generations, tokens, folder) / 1e6, "M tokens/s"));
        measureReading(built, heldOut, tokens, rows);
        rows.add(new Row("append", tokens, append(indexed) / 1e6, "M tokens/s"));
        double bytes = (double) built.summary().sizeBytes() / built.summary().textTokens();
        rows.add(new Row("bytesPerToken", built.summary().textTokens(), bytes, "bytes"));
        return rows;
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

    /** What each announcement does: level-0 files are folded into a much larger segment. */
    private static double merge(List<Compaction.Input> generations, long tokens, Path folder) throws IOException {
        int cut = (int) (generations.size() * (1 - NEWEST_SHARE));
        List<Compaction.Files> inputs = new ArrayList<>();
        inputs.add(Compaction.flush(generations.subList(0, cut), LANE, folder).files());
        for (int i = 0; i < LEVEL0_FILES; i++) {
            int from = cut + (generations.size() - cut) * i / LEVEL0_FILES;
            int to = cut + (generations.size() - cut) * (i + 1) / LEVEL0_FILES;
            inputs.add(Compaction.flush(generations.subList(from, to), LANE, folder)
                    .files());
        }
        double[] rates = new double[BUILDS];
        for (int i = 0; i < BUILDS; i++) {
            long start = System.nanoTime();
            Compaction.merge(inputs, Retention.everything(), LANE, folder);
            rates[i] = tokens / seconds(start);
        }
        return median(rates);
    }

    private static double append(List<int[]> documents) {
        ContextAutomaton automaton = new ContextAutomaton();
        double[] rates = new double[BUILDS];
        for (int i = 0; i < BUILDS; i++) {
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

    private static List<Compaction.Input> generations(List<int[]> documents) {
        List<Compaction.Input> generations = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            generations.add(new Compaction.Input(new GenerationEntry(i, i, "bench", i), documents.get(i)));
        }
        return generations;
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
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
