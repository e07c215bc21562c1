package io.tailrace.lab.bench.index;

import io.tailrace.suffix.order.CoLexOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/** The two ways to sort a text's end positions, side by side: what the decision between them rests on. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class SortBenchmarks {
    @Param({"1000000", "5000000"})
    public long tokens;

    @Param("")
    public String data;

    private int[] text;

    @Setup
    public void layOut() throws IOException {
        Corpus corpus = data.isEmpty() ? Corpus.synthetic(tokens, 1) : Corpus.recorded(Path.of(data), tokens);
        text = new int[(int) corpus.tokens() + corpus.documents().size()];
        int at = 0;
        for (int[] document : corpus.documents()) {
            System.arraycopy(document, 0, text, at, document.length);
            at += document.length;
            text[at++] = -1;
        }
    }

    @Benchmark
    public int[] multikey() {
        return CoLexOrder.of(text, text.length).order();
    }

    @Benchmark
    public int[] induced() {
        return InducedSort.order(text);
    }
}
