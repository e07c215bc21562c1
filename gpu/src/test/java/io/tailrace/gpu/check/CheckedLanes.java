package io.tailrace.gpu.check;

import io.tailrace.gpu.LaneFiles;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Lanes of random text under policies of their own, on a device and in Java. Swaps run on another thread beside the steps: to the
 * same text in other memory, so that what is drafted does not depend on the moment. A lane that nobody drafts from meanwhile takes the
 * texts of the others, from the host's memory.
 */
final class CheckedLanes implements AutoCloseable {
    static final int COUNT = 3;
    static final int VOCABULARY = 1_031;
    private static final int UNUSED = 5;
    private static final float WEAKER = 0.07f;

    private final CudaDevice device;
    private final SplittableRandom random;
    private final TokenModel model = new TokenModel(VOCABULARY);
    private final List<LaneFiles> lanes = new ArrayList<>();
    private final List<SnapshotImage> images = new ArrayList<>();
    private final ExecutorService publisher = Executors.newSingleThreadExecutor();
    private CompletableFuture<Void> swap = CompletableFuture.completedFuture(null);

    CheckedLanes(CudaDevice device, Path folder, SplittableRandom random) throws IOException {
        this.device = device;
        this.random = random;
        for (int lane = 0; lane < COUNT; lane++) {
            lanes.add(filled(new LaneFiles(folder)));
            images.add(lanes.get(lane).image(weights(lane)));
            device.publish(lane, images.get(lane));
        }
    }

    LaneIndex index(int lane) {
        return lanes.get(lane).index();
    }

    float[] weights(int lane) {
        float[] weights = Mixer.defaults().weights();
        for (int i = 0; i < weights.length; i++) {
            weights[i] *= 1 - WEAKER * lane;
        }
        return weights;
    }

    /** What says the text. */
    TokenModel model() {
        return model;
    }

    /** Lets the other thread swap a lane; the swap before has ended. */
    void beginSwap() {
        swap.join();
        int lane = random.nextInt(COUNT);
        swap = CompletableFuture.runAsync(
                () -> {
                    device.publish(lane, images.get(lane));
                    device.publish(UNUSED, images.get((lane + 1) % COUNT));
                },
                publisher);
    }

    private LaneFiles filled(LaneFiles lane) throws IOException {
        for (SourceKind kind : List.of(SourceKind.OLDER, SourceKind.NEWEST, SourceKind.FRESH)) {
            List<int[]> added = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                added.add(model.text(1 + random.nextInt(150), random));
            }
            lane.add(kind, added);
        }
        return lane;
    }

    @Override
    public void close() throws IOException {
        publisher.shutdown();
        swap.join();
        for (LaneFiles lane : lanes) {
            lane.close();
        }
    }
}
