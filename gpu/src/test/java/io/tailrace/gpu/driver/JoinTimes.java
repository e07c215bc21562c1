package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.check.CheckReport;
import io.tailrace.gpu.check.Corpus;
import io.tailrace.suffix.ContextAutomaton;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Times how long requests take to join a batch: one thread of the device puts a whole context into its slot, token after token, and
 * the decode thread waits for it. Beside it what Java takes on this host for the same automaton.
 */
final class JoinTimes {
    private static final int RUNS = 3;
    private static final int DOCUMENT_TOKENS = 20_000;

    private final CheckReport report;
    private final int vocabulary;

    JoinTimes(CheckReport report, int vocabulary) {
        this.report = report;
        this.vocabulary = vocabulary;
    }

    /** Measures contexts of so many tokens, in ascending order, by so many requests at once. */
    void measure(int[] lengths, int[] batches) throws IOException {
        int longest = lengths[lengths.length - 1];
        int most = batches[batches.length - 1];
        report.table("context, tokens", "requests", "join, wall us", "a token, us", "Java, one context, us");
        List<int[]> documents = Corpus.documents(DOCUMENT_TOKENS, vocabulary, longest);
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(most, longest, most, KernelTimes.BUDGET))) {
            for (int length : lengths) {
                int[][] contexts = new int[most][];
                SplittableRandom random = new SplittableRandom(length);
                Arrays.setAll(contexts, i -> Corpus.document(length, vocabulary, documents, random));
                double java = median(() -> automaton(contexts[0]));
                for (int batch : batches) {
                    int[] slots = IntStream.range(0, batch).toArray();
                    double micros = median(() -> device.add(slots, Arrays.copyOf(contexts, batch)));
                    report.row(length, batch, micros, micros / length / batch, java);
                }
            }
        }
    }

    private static void automaton(int[] context) {
        ContextAutomaton automaton = new ContextAutomaton();
        for (int token : context) {
            automaton.append(token);
        }
    }

    private static double median(Runnable work) {
        work.run();
        double[] times = IntStream.range(0, RUNS)
                .mapToDouble(run -> KernelTimes.wallMicros(work))
                .sorted()
                .toArray();
        return times[RUNS / 2];
    }
}
