package io.tailrace.gpu.check;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.gpu.driver.DeviceMemory;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Drafts, samples and accepts on a device from a seed, and writes all that comes back to a file: equal files, equal devices. Each
 * draft is compared with Java's on the way.
 */
final class EqualityRun {
    private static final int VOCABULARY = 200;
    private static final int BATCH = 32;
    private static final int BUDGET = 32;
    private static final int ROWS = BUDGET + 1;
    private static final int STEPS = 12;
    private static final float[] WEIGHTS = Mixer.defaults().weights();

    private final Path folder;
    private final DataOutputStream out;
    private long drafts;
    private long accepted;

    EqualityRun(Path folder, DataOutputStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** Goes on until so many drafts were compared; returns a sentence. */
    String run(long draftsWanted) throws IOException {
        try (CudaDevice device = new CudaDevice(0, new DeviceLimits(BATCH, 1_000, BATCH, BUDGET))) {
            for (long seed = 1; drafts < draftsWanted; seed++) {
                lane(device, new SplittableRandom(seed));
            }
        }
        return "%,d drafts equal to Java's bit for bit, %,d tokens accepted".formatted(drafts, accepted);
    }

    private void lane(CudaDevice device, SplittableRandom random) throws IOException {
        List<int[]> documents = new ArrayList<>();
        try (LaneFiles lane = new LaneFiles(folder)) {
            for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST, SourceKind.FRESH)) {
                List<int[]> added = new ArrayList<>();
                for (int i = 0; i < 1 + random.nextInt(20); i++) {
                    added.add(Corpus.document(1 + random.nextInt(150), VOCABULARY, documents, random));
                    documents.add(added.get(i));
                }
                lane.add(kind, added);
            }
            device.publish(0, lane.image(WEIGHTS));
            Requests requests = new Requests(random, documents);
            device.add(requests.slots, requests.contexts);
            try (DeviceMemory logits = device.reserve(4L * BATCH * ROWS * VOCABULARY)) {
                for (int step = 0; step < STEPS; step++) {
                    step(device, lane, requests, logits, random);
                }
            }
        }
    }

    private static final class Requests {
        final int[] slots = new int[BATCH];
        final int[][] contexts = new int[BATCH][];
        final int[] lasts = new int[BATCH];
        final AdaptiveDrafter[] drafters = new AdaptiveDrafter[BATCH];
        final List<SamplingRule> rules = new ArrayList<>();

        Requests(SplittableRandom random, List<int[]> documents) {
            for (int i = 0; i < BATCH; i++) {
                slots[i] = i;
                contexts[i] = Corpus.document(1 + random.nextInt(200), VOCABULARY, documents, random);
                lasts[i] = contexts[i][contexts[i].length - 1];
                Mixer mixer = Mixer.of(WEIGHTS);
                mixer.hurry(0);
                drafters[i] =
                        new AdaptiveDrafter(mixer, new DraftPolicy(true, BUDGET, LaneFiles.FLOOR, 0, new float[0]));
                drafters[i].begin(contexts[i], contexts[i].length);
                rules.add(
                        i % 2 == 0
                                ? SamplingRule.GREEDY
                                : new SamplingRule(
                                        0.7f, i % 3 == 0 ? 0.9f : 1, i % 5 == 0 ? 20 : 0, random.nextLong()));
            }
        }
    }

    private void step(
            CudaDevice device, LaneFiles lane, Requests requests, DeviceMemory memory, SplittableRandom random)
            throws IOException {
        int[] budgets = random.ints(BATCH, 0, BUDGET + 1).toArray();
        device.draft(requests.slots, new int[BATCH], budgets);
        List<DeviceDraft> grown = device.drafts();
        ByteBuffer logits = ByteBuffer.allocateDirect((int) memory.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int[] firstRows = new int[BATCH];
        for (int i = 0; i < BATCH; i++) {
            DeviceDraft draft = grown.get(i);
            compare(draft, requests.drafters[i].draft(lane.index(), budgets[i]));
            firstRows[i] = i * ROWS;
            fill(logits, firstRows[i], requests.lasts[i]);
            for (int node = 0; node < draft.size(); node++) {
                fill(logits, firstRows[i] + 1 + node, draft.token(node));
            }
        }
        memory.upload(0, logits);
        device.verify(new LogitsRows(memory.address(), VOCABULARY, firstRows), requests.rules);
        take(device.verdicts(), requests);
    }

    private void take(List<DeviceVerdict> verdicts, Requests requests) throws IOException {
        for (int i = 0; i < BATCH; i++) {
            int[] said = verdicts.get(i).tokens();
            out.writeInt(verdicts.get(i).flags());
            out.writeInt(said.length);
            for (int k = 0; k < said.length; k++) {
                out.writeInt(said[k]);
                out.writeInt(verdicts.get(i).keptRows()[k]);
            }
            requests.drafters[i].verified(said, said.length);
            requests.lasts[i] = said[said.length - 1];
            accepted += said.length - 1;
        }
    }

    private void compare(DeviceDraft device, Draft java) throws IOException {
        out.writeInt(device.flags());
        out.writeInt(device.size());
        boolean same = device.flags() == 0 && device.size() == java.size();
        for (int node = 0; node < device.size(); node++) {
            int bits = Float.floatToRawIntBits(device.probability(node));
            out.writeInt(device.token(node));
            out.writeInt(device.parent(node));
            out.writeInt(bits);
            same = same
                    && device.token(node) == java.token(node)
                    && device.parent(node) == java.parent(node)
                    && device.source(node) == java.source(node)
                    && device.matchLength(node) == java.matchLength(node)
                    && bits == Float.floatToRawIntBits(java.probability(node));
        }
        if (!same) {
            throw new IllegalStateException("draft %d differs from Java's: flags %d, %d nodes, Java has %d"
                    .formatted(drafts, device.flags(), device.size(), java.size()));
        }
        drafts++;
    }

    /** A model whose next token depends on the last one: what was said before is often said again. */
    private static void fill(ByteBuffer logits, int row, int token) {
        SplittableRandom random = new SplittableRandom(token);
        for (int i = 0; i < VOCABULARY; i++) {
            logits.putFloat(4 * (row * VOCABULARY + i), (float) random.nextDouble() * 6);
        }
    }
}
