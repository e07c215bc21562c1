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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The index under JMH. With {@code -prof gc} append, nearest and count show what they allocate: append and nearest nothing.
 * {@code -p tokens=...} sets the size, {@code -p data=FOLDER} takes recorded responses instead of synthetic ones.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class IndexBenchmarks {
    private static final SegmentIdentity LANE = new SegmentIdentity("bench@1/bench", Corpus.VOCABULARY, "bench");
    private static final int CONTEXT_TOKENS = 256;
    private static final int APPENDED_TOKENS = 8192;
    private static final int NEAREST = 16;
    private static final int PATTERN_TOKENS = 3;

    @Param({"100000", "1000000", "5000000"})
    public long tokens;

    @Param("")
    public String data;

    private final ContextAutomaton automaton = new ContextAutomaton();
    private final Occurrences found = new Occurrences();
    private final int[] pattern = new int[PATTERN_TOKENS];
    private final int[] context = new int[CONTEXT_TOKENS];
    private Path folder;
    private List<Compaction.Input> generations;
    private List<Compaction.Files> parts;
    private Compaction.Files files;
    private Segment segment;
    private int[] stream;
    private int cursor;

    @Setup
    public void build() throws IOException {
        Corpus corpus = data.isEmpty() ? Corpus.synthetic(tokens, 1) : Corpus.recorded(Path.of(data), tokens);
        folder = Files.createTempDirectory("tailrace-jmh-index");
        generations = new ArrayList<>();
        for (int[] document : corpus.documents()) {
            long id = generations.size();
            generations.add(new Compaction.Input(new GenerationEntry(id, id, "bench", id), document));
        }
        stream = corpus.documents().stream().flatMapToInt(Arrays::stream).toArray();
        files = Compaction.flush(generations, LANE, folder).files();
        int cut = generations.size() * 9 / 10;
        parts = List.of(
                Compaction.flush(generations.subList(0, cut), LANE, folder).files(),
                Compaction.flush(generations.subList(cut, generations.size()), LANE, folder)
                        .files());
        segment = Segment.reopen(files.segment(), LANE);
    }

    @TearDown
    public void delete() throws IOException {
        segment.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A context of 8,192 tokens, from the empty one. */
    @Benchmark
    public int append() {
        automaton.reset();
        int from = next(APPENDED_TOKENS);
        for (int i = 0; i < APPENDED_TOKENS; i++) {
            automaton.append(stream[from + i]);
        }
        return automaton.length();
    }

    @Benchmark
    public int nearest() {
        System.arraycopy(stream, next(CONTEXT_TOKENS), context, 0, CONTEXT_TOKENS);
        found.clear();
        return segment.nearest(context, CONTEXT_TOKENS, NEAREST, 0, found);
    }

    @Benchmark
    public long count() {
        System.arraycopy(stream, next(PATTERN_TOKENS), pattern, 0, PATTERN_TOKENS);
        return segment.count(pattern);
    }

    @Benchmark
    public int open() throws IOException {
        try (Segment reopened = Segment.reopen(files.segment(), LANE)) {
            found.clear();
            return reopened.nearest(context, CONTEXT_TOKENS, NEAREST, 0, found);
        }
    }

    @Benchmark
    public Compaction.Result flush() throws IOException {
        return Compaction.flush(generations, LANE, folder);
    }

    @Benchmark
    public Compaction.Result merge() throws IOException {
        return Compaction.merge(parts, Retention.everything(), LANE, folder);
    }

    /** A place in the stream, far from the last one. */
    private int next(int length) {
        cursor = (int) ((cursor + 2_654_435_761L) % (stream.length - length));
        return cursor;
    }
}
