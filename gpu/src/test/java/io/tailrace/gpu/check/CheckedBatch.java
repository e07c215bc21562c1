package io.tailrace.gpu.check;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.gpu.driver.DeviceMemory;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SimilarAnswers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Requests on a device and in Java, side by side, step by step. In each step one of them is idle, and one has no lane. */
final class CheckedBatch implements AutoCloseable {
    static final int SLOTS = 40;
    private static final int BATCH = 27;
    private static final int CONTEXT_MAX = 200;

    private final CudaDevice device;
    private final CheckedLanes lanes;
    private final Comparison comparison;
    private final SplittableRandom random;
    private final int rowsMax;
    private final TokenModel model;
    private final int[] slots;
    private final int[] lengths = new int[BATCH];
    private final int[] lasts = new int[BATCH];
    private final AdaptiveDrafter[] drafters = new AdaptiveDrafter[BATCH];
    private final SimilarAnswers[] similar = new SimilarAnswers[BATCH];
    private final List<SamplingRule> rules = new ArrayList<>();
    private final Draft[] expected = new Draft[BATCH];
    private final ByteBuffer staged;
    private final DeviceMemory logits;
    private final DeviceMemory mask;

    CheckedBatch(CudaDevice device, CheckedLanes lanes, Comparison comparison, SplittableRandom random) {
        this.device = device;
        this.lanes = lanes;
        this.comparison = comparison;
        this.random = random;
        this.rowsMax = device.limits().rowsMax();
        this.slots = random.ints(0, SLOTS).distinct().limit(BATCH).toArray();
        this.model = lanes.model();
        this.staged = model.room(BATCH * rowsMax);
        this.logits = device.reserve(staged.capacity());
        this.mask = device.reserve((long) BATCH * rowsMax * rowsMax * Float.BYTES);
        int[][] contexts = new int[BATCH][];
        for (int i = 0; i < BATCH; i++) {
            int[] topics = LaneFiles.topics(random.nextInt(5), random.nextInt(4), random.nextInt(9));
            int[] text = model.text(1 + random.nextInt(CONTEXT_MAX), random);
            contexts[i] =
                    IntStream.concat(IntStream.of(topics), IntStream.of(text)).toArray();
            begin(i, contexts[i]);
        }
        device.add(slots, contexts);
    }

    private void begin(int request, int[] context) {
        Mixer mixer = Mixer.of(lanes.weights(laneOf(request)));
        mixer.hurry(0);
        int budget = device.limits().budgetMax();
        drafters[request] = new AdaptiveDrafter(mixer, new DraftPolicy(true, budget, LaneFiles.FLOOR, 0, new float[0]));
        drafters[request].begin(context, context.length);
        similar[request] = new SimilarAnswers();
        similar[request].ask(context, context.length);
        lengths[request] = context.length;
        lasts[request] = context[context.length - 1];
        float temperature = List.of(0f, 0.3f, 0.8f, 0f, 1.5f).get(random.nextInt(5));
        float topP = List.of(1f, 0.95f, 0.4f).get(random.nextInt(3));
        int topK = List.of(0, 0, 1, 20, 700, 5_000).get(random.nextInt(6));
        rules.add(new SamplingRule(temperature, topP, topK, random.nextLong()));
    }

    /** As serving does where the device writes the pass: nobody waits before the end. */
    void stepThatWaitsOnce(int step) throws IOException {
        int[] budgets = plan(step);
        try (CheckedPass pass = new CheckedPass(device, random, lengths)) {
            draft(step, budgets);
            device.fill(pass.inputs());
            List<DeviceOutcome> outcomes = verify(device::outcomes);
            for (int i = 0; i < BATCH; i++) {
                take(step, i, outcomes.get(i).verdict(), outcomes.get(i).draft(), pass.width(i));
            }
            comparison.memory(pass.read());
        }
        comparison.memory(masks());
    }

    /** As serving does where the host writes the pass, with as much of each draft as it likes. */
    void stepThatWaitsTwice(int step) throws IOException {
        int[] budgets = plan(step);
        draft(step, budgets);
        List<DeviceDraft> drafts = device.drafts();
        for (int i = 0; i < BATCH; i++) {
            if (i != idle(step)) {
                comparison.draft(drafts.get(i), expected[i], rowsMax);
            }
        }
        device.trim(random.ints(BATCH, 0, rowsMax).toArray());
        List<DeviceVerdict> verdicts = verify(device::verdicts);
        for (int i = 0; i < BATCH; i++) {
            if (i == idle(step)) {
                comparison.idle(drafts.get(i), verdicts.get(i));
            } else {
                goOn(i, verdicts.get(i));
            }
        }
        comparison.memory(masks());
    }

    @Override
    public void close() {
        mask.close();
        logits.close();
    }

    /** Drafts in Java, and brings the logits of these drafts' rows to the device. */
    private int[] plan(int step) {
        int[] budgets = random.ints(BATCH, 0, rowsMax).toArray();
        for (int i = 0; i < BATCH; i++) {
            if (i == idle(step)) {
                continue;
            }
            boolean plain = i == withoutLane(step);
            LaneIndex index = plain ? LaneIndex.EMPTY : lanes.index(laneOf(i));
            expected[i] = drafters[i].draft(index, plain ? 0 : budgets[i]);
            if (!plain && similar[i].prepare(index)) {
                device.similar(slots[i], similar[i].texts());
            }
            model.write(staged, i * rowsMax, lasts[i]);
            for (int node = 0; node < expected[i].size(); node++) {
                model.write(staged, i * rowsMax + 1 + node, expected[i].token(node));
            }
        }
        logits.upload(0, staged.duplicate());
        return budgets;
    }

    private void draft(int step, int[] budgets) {
        int[] asked = slots.clone();
        asked[idle(step)] = DraftDevice.NONE;
        int[] from = IntStream.range(0, BATCH).map(CheckedBatch::laneOf).toArray();
        from[withoutLane(step)] = DraftDevice.NONE;
        device.draft(asked, from, budgets);
    }

    private <T> T verify(Supplier<T> wait) {
        int[] firstRows = IntStream.range(0, BATCH).map(i -> i * rowsMax).toArray();
        device.mask(mask.address());
        device.verify(new LogitsRows(logits.address(), CheckedLanes.VOCABULARY, firstRows), rules);
        return wait.get();
    }

    private void take(int step, int request, DeviceVerdict verdict, DeviceDraft draft, int nodesMax)
            throws IOException {
        if (request == idle(step)) {
            comparison.idle(draft, verdict);
        } else {
            comparison.draft(draft, expected[request], nodesMax);
            goOn(request, verdict);
        }
    }

    private void goOn(int request, DeviceVerdict verdict) throws IOException {
        int[] said = comparison.said(verdict);
        drafters[request].verified(said, said.length);
        lasts[request] = said[said.length - 1];
        lengths[request] += said.length;
    }

    private ByteBuffer masks() {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) mask.bytes());
        mask.download(0, bytes.duplicate());
        return bytes;
    }

    private static int idle(int step) {
        return step % BATCH;
    }

    private static int withoutLane(int step) {
        return (5 * step + 1) % BATCH;
    }

    private static int laneOf(int request) {
        return request % CheckedLanes.COUNT;
    }
}
