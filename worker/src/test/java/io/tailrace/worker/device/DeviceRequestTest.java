package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.client.follow.internal.Snapshots;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.SimilarTexts;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceRequestTest {
    private static final int[] PROMPT = {1, 2, 3};

    @TempDir
    Path scratch;

    /** Tokens of the answers that the device was given, in turn. */
    private final List<List<Integer>> given = new ArrayList<>();

    private final DraftDevice device = (DraftDevice) Proxy.newProxyInstance(
            DraftDevice.class.getClassLoader(), new Class<?>[] {DraftDevice.class}, (proxy, method, arguments) -> {
                return switch (method.getName()) {
                    case "publish", "draft" -> null;
                    case "drafts" -> List.of();
                    case "limits" -> new DeviceLimits(2, 100, 2, 16);
                    case "similar" -> give((SimilarTexts) arguments[1]);
                    default -> throw new AssertionError(method);
                };
            });

    private Object give(SimilarTexts texts) {
        given.add(IntStream.range(0, texts.length()).mapToObj(texts::token).toList());
        return null;
    }

    /** The answers that the device drafts from are those that are live on the host, also while it holds an older snapshot of the lane. */
    @Test
    void theDeviceHasTheAnswersToSimilarRequestsThatAreLiveAndNoOthers() {
        ServedModel model = new ServedModel("model", "1", 1000, "tokenizer");
        ServedLane live = new ServedLanes(model, FollowOptions.of(scratch.toUri(), scratch), 0).ofRequest("test");
        SegmentIdentity identity = new SegmentIdentity("model@1/test", 1000, "tokenizer");
        DeviceLane lane = new DeviceLane(0, live, new ImageMaker(identity, scratch), device);
        long now = System.currentTimeMillis();
        live.finished("a", RememberedAnswer.of(PROMPT, 0, new int[] {7, 8}), now - 1);
        live.finished("b", RememberedAnswer.of(new int[] {4, 5}, 0, new int[] {9}), now - 1);
        DeviceRequest request =
                new DeviceRequest(new DeviceBatch(device, 1000, false), lane, 0, PROMPT, context -> null);
        request.prepare(device);
        request.prepare(device);
        assertThat(given).containsExactly(List.of(7, 8, -1));
        Snapshots.deleteRequest(live, "a", now);
        request.prepare(device);
        assertThat(given).containsExactly(List.of(7, 8, -1), List.of());
    }
}
