package io.tailrace.lab.bench.serve;

import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.serve.DraftOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What having two draft sources costs: {@code hybrid} at an infinite threshold, which always drafts with the other one, against that
 * one alone. Both verify all they draft, so that their steps are the same; two workers are asked the same, round by round in turn.
 */
public final class HybridBench {
    private static final int ROUND_REQUESTS = 12;
    private static final int OUTPUT_TOKENS = 200;
    private static final int BUDGET = 16;

    private HybridBench() {}

    /**
     * One batch size.
     *
     * @param aloneMicros time of a step of a request with the other source alone
     * @param hybridMicros the same with {@code hybrid}
     * @param ratio step time of the first by that of the second, by the medians of pairs
     * @param ratioLow the least of one pass alone
     * @param ratioHigh the largest of one pass alone
     * @param stepsAlone steps in all
     * @param stepsHybrid steps in all
     */
    public record Row(
            int batch,
            double aloneMicros,
            double hybridMicros,
            double ratio,
            double ratioLow,
            double ratioHigh,
            long stepsAlone,
            long stepsHybrid) {}

    /**
     * Measures.
     *
     * @param model loads the model; asked once for each worker, which closes it
     * @param alone the other source's strategy
     * @param hybrid the strategy that never takes the suffix draft
     * @param requests a pass's
     * @param progress told of each batch size as it begins
     */
    public static List<Row> run(
            Supplier<LanguageModel> model,
            StoryPrompts prompts,
            String alone,
            String hybrid,
            List<Integer> batches,
            int passes,
            int requests,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        int batchMax = batches.stream().mapToInt(Integer::intValue).max().orElseThrow();
        Path folder = Files.createTempDirectory("tailrace-bench-hybrid");
        List<Row> rows = new ArrayList<>();
        try (BenchServer one = server(model.get(), alone, batchMax, folder.resolve("alone"));
                BenchServer two = server(model.get(), hybrid, batchMax, folder.resolve("hybrid"))) {
            for (int batch : batches) {
                progress.accept("batch %d".formatted(batch));
                rows.add(row(one.load(), two.load(), batch, passes, prompts.variants(0, requests, 1)));
            }
        }
        return rows;
    }

    private static BenchServer server(LanguageModel model, String strategy, int batchMax, Path folder)
            throws IOException {
        return new BenchServer(
                model,
                new DraftOptions(strategy, false),
                batchMax,
                BUDGET,
                OUTPUT_TOKENS,
                Files.createDirectories(folder));
    }

    /** One pass more than counts: the first one warms both up. */
    private static Row row(LoadRound alone, LoadRound hybrid, int batch, int passes, List<StoryPrompts.Prompt> asked)
            throws IOException, InterruptedException {
        PairedRounds pairs = new PairedRounds();
        long[] steps = new long[2];
        double[] nanos = new double[2];
        for (int pass = -1; pass < passes; pass++) {
            String scope = "%d-%d".formatted(batch, pass);
            for (int from = 0, round = 0; from < asked.size(); from += ROUND_REQUESTS, round++) {
                List<StoryPrompts.Prompt> part = asked.subList(from, Math.min(asked.size(), from + ROUND_REQUESTS));
                boolean hybridFirst = (round + pass) % 2 == 0;
                LoadRound.Result first = (hybridFirst ? hybrid : alone).run(part, batch, 0, scope, true);
                LoadRound.Result second = (hybridFirst ? alone : hybrid).run(part, batch, 0, scope, true);
                if (pass >= 0) {
                    LoadRound.Result[] both = {hybridFirst ? second : first, hybridFirst ? first : second};
                    pairs.add(
                            round,
                            (double) both[0].nanos(),
                            (double) both[1].nanos() * both[0].steps() / both[1].steps());
                    for (int side = 0; side < 2; side++) {
                        steps[side] += both[side].steps();
                        nanos[side] += (double) both[side].nanos();
                    }
                }
            }
        }
        double[] gains = Arrays.stream(pairs.gainsOfPasses()).sorted().toArray();
        return new Row(
                batch,
                micros(nanos[0], steps[0]),
                micros(nanos[1], steps[1]),
                pairs.gain(),
                gains[0],
                gains[gains.length - 1],
                steps[0],
                steps[1]);
    }

    private static double micros(double nanos, long steps) {
        return nanos / 1e3 / (double) steps;
    }
}
