package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.check.CheckReport;
import io.tailrace.gpu.check.Corpus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Times each kernel of a step and whole steps, by batch. Contexts are put in anew before each figure, since steps extend them. */
final class KernelTimes {
    static final int BUDGET = 16;
    /** Of a verification: the context's end, and each node that a draft may have. Drafts grow and shrink from step to step. */
    private static final int ROWS_MAX = BUDGET + 1;

    private static final int CORPUS_VOCABULARY = 32_000;
    private static final int CONTEXT_TOKENS = 1_000;
    private static final int RUNS = 25;
    private static final int RULE_SEED = 7;
    private static final int RANDOM_ROWS = 64;
    /** How often the kernel goes over a row for its likeliest token. */
    private static final int GREEDY_PASSES = 1;

    private static final double LOGIT_SPREAD = 2.5;
    /** Of peaked logits, so many of each row stand so much higher. */
    private static final int PEAKS = 20;

    private static final double PEAK_HEIGHT = 12;
    private static final SamplingRule NUCLEUS = new SamplingRule(0.8f, 0.95f, 0, RULE_SEED);
    private static final SamplingRule BEST_50 = new SamplingRule(0.8f, 1, 50, RULE_SEED);

    private final CudaDevice device;
    private final EventTimer timer;
    private final CheckReport report;
    private final int vocabulary;
    private final double loadNanos;
    private final ByteBuffer flatLogits;
    private final ByteBuffer peakedLogits;

    /** Of one batch. */
    private int[] slots;

    private int[] budgets;
    private int[][] contexts;

    KernelTimes(CudaDevice device, EventTimer timer, CheckReport report, int vocabulary, double loadNanos) {
        this.device = device;
        this.timer = timer;
        this.report = report;
        this.vocabulary = vocabulary;
        this.loadNanos = loadNanos;
        this.flatLogits = randomLogits(0);
        this.peakedLogits = randomLogits(PEAK_HEIGHT);
    }

    /** Measures requests whose contexts are made of these documents. */
    void measure(List<int[]> documents, int[] batches) throws IOException {
        report.line(
                "Microseconds of kernels as cold / warm: after 256 MB have passed through the caches, and right after the run "
                        + "before. Logits are normal with a spread of 2.5, so that thousands share the probability; of peaked ones, 20 of a "
                        + "row stand 12 higher and have nearly all of it.\n");
        report.table(
                "batch",
                "add, wall us",
                "whole draft, one graph",
                "whole draft, call by call",
                "search",
                "search, dependent loads, cold",
                "grow",
                "sample, greedy",
                "the same, logits read cold, GB/s",
                "sample, temperature 0.8, top-p 0.95",
                "the same, peaked logits",
                "sample, temperature 0.8, top-k 50",
                "accept",
                "extend",
                "fill",
                "step that waits twice, wall us",
                "step that waits once, wall us",
                "nodes a draft");
        for (int batch : batches) {
            slots = IntStream.range(0, batch).toArray();
            budgets = new int[batch];
            Arrays.fill(budgets, BUDGET);
            contexts = contexts(documents, batch);
            measure(batch);
        }
    }

    private void measure(int batch) throws IOException {
        double add = wallMicros(() -> device.add(slots, contexts));
        List<DeviceDraft> drafts = renew();
        int rows = drafts.stream().mapToInt(DeviceDraft::size).sum() + batch;
        LogitsRows[] where = new LogitsRows[1];
        try (DeviceMemory memory = device.reserve((long) Float.BYTES * batch * ROWS_MAX * vocabulary);
                DeviceMemory inputs = device.reserve(batch * (long) BUDGET * (2 * Long.BYTES + BUDGET))) {
            fill(memory, peakedLogits);
            where[0] = new LogitsRows(
                    memory.address(),
                    vocabulary,
                    IntStream.range(0, batch).map(i -> i * ROWS_MAX).toArray());
            List<SamplingRule> greedy = Collections.nCopies(batch, SamplingRule.GREEDY);
            EventTimer.Micros search = after(() -> device.step().search(null, batch));
            EventTimer.Micros grow = after(() -> device.step().grow(null, batch));
            EventTimer.Micros whole = after(() -> device.queue(StepGraphs.Part.DRAFT));
            EventTimer.Micros single = after(() -> device.step().draft(null, batch));
            EventTimer.Micros peaked = sample(where[0], batch, NUCLEUS);
            fill(memory, flatLogits);
            EventTimer.Micros nucleus = sample(where[0], batch, NUCLEUS);
            EventTimer.Micros best = sample(where[0], batch, BEST_50);
            EventTimer.Micros likeliest = sample(where[0], batch, SamplingRule.GREEDY);
            PassInputs pass = pass(inputs, batch);
            renew();
            double twice = medianWallMicros(() -> {
                device.draft(slots, new int[batch], budgets);
                device.drafts();
                device.verify(where[0], greedy);
                device.verdicts();
            });
            renew();
            double once = medianWallMicros(() -> {
                device.draft(slots, new int[batch], budgets);
                device.fill(pass);
                device.verify(where[0], greedy);
                device.outcomes();
            });
            EventTimer.Micros fill = after(() -> device.step().fill(null, batch));
            EventTimer.Micros accept =
                    afterVerdicts(where[0], greedy, () -> device.step().accept(null, batch));
            EventTimer.Micros extend =
                    afterVerdicts(where[0], greedy, () -> device.step().extend(null, batch));
            report.row(
                    batch,
                    add,
                    whole,
                    single,
                    search,
                    search.cold() * 1_000 / loadNanos,
                    grow,
                    likeliest,
                    4.0 * rows * vocabulary * GREEDY_PASSES / likeliest.cold() / 1_000,
                    nucleus,
                    peaked,
                    best,
                    accept,
                    extend,
                    fill,
                    twice,
                    once,
                    (double) (rows - batch) / batch);
        }
    }

    /** Puts the contexts in anew and drafts. */
    private List<DeviceDraft> renew() {
        device.add(slots, contexts);
        device.draft(slots, new int[slots.length], budgets);
        return device.drafts();
    }

    private EventTimer.Micros after(Runnable work) {
        renew();
        return timer.micros(RUNS, work);
    }

    /** A draft empties the verdicts: extension has something to append only behind a verification. */
    private EventTimer.Micros afterVerdicts(LogitsRows where, List<SamplingRule> rules, Runnable work) {
        renew();
        device.verify(where, rules);
        device.verdicts();
        return timer.micros(RUNS, work);
    }

    private EventTimer.Micros sample(LogitsRows where, int batch, SamplingRule rule) {
        renew();
        device.verify(where, Collections.nCopies(batch, rule));
        device.verdicts();
        return after(() -> device.step().sample(null, batch));
    }

    /** A pass in which every entry has a seat of the whole budget, with columns for nothing but its draft. */
    private PassInputs pass(DeviceMemory inputs, int batch) {
        List<PassInputs.Seat> seats = IntStream.range(0, batch)
                .mapToObj(i ->
                        new PassInputs.Seat((long) i * BUDGET * BUDGET, i * BUDGET, BUDGET, BUDGET, CONTEXT_TOKENS))
                .toList();
        long positions = inputs.address() + (long) batch * BUDGET * Long.BYTES;
        long blocked = positions + (long) batch * BUDGET * Long.BYTES;
        return new PassInputs("cuda:0", inputs.address(), positions, blocked, vocabulary, seats);
    }

    /** Every other one is a document broken off, with a long match; the others are put together from pieces. */
    static int[][] contexts(List<int[]> documents, int count) {
        SplittableRandom random = new SplittableRandom(count);
        List<int[]> contexts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] document = documents.get(random.nextInt(documents.size()));
            int[] pieces = Corpus.document(CONTEXT_TOKENS, CORPUS_VOCABULARY, documents, random);
            int kept = document.length / 2;
            if (i % 2 == 0) {
                System.arraycopy(document, 0, pieces, CONTEXT_TOKENS - kept, kept);
            }
            contexts.add(pieces);
        }
        return contexts.toArray(int[][]::new);
    }

    private ByteBuffer randomLogits(double peakHeight) {
        SplittableRandom random = new SplittableRandom(1);
        int count = RANDOM_ROWS * vocabulary;
        ByteBuffer bytes = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat((float) (random.nextGaussian() * LOGIT_SPREAD));
        }
        for (int peak = 0; peak < RANDOM_ROWS * PEAKS; peak++) {
            int at = (peak / PEAKS * vocabulary + random.nextInt(vocabulary)) * Float.BYTES;
            bytes.putFloat(at, (float) (bytes.getFloat(at) + peakHeight));
        }
        return bytes.flip();
    }

    /** Fills memory with bytes again and again. */
    private static void fill(DeviceMemory memory, ByteBuffer bytes) {
        long chunk = Math.min(bytes.remaining(), memory.bytes());
        memory.upload(0, bytes.duplicate().limit((int) chunk));
        for (long at = chunk; at < memory.bytes(); at += chunk) {
            memory.copy(at, memory, 0, Math.min(chunk, memory.bytes() - at), null);
        }
    }

    private static double medianWallMicros(Runnable work) {
        return IntStream.range(0, RUNS)
                .mapToDouble(run -> wallMicros(work))
                .sorted()
                .skip(RUNS / 2)
                .findFirst()
                .orElseThrow();
    }

    static double wallMicros(Runnable work) {
        long began = System.nanoTime();
        work.run();
        return (System.nanoTime() - began) / 1e3;
    }
}
