package io.tailrace.worker.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotUploadsTest {
    @TempDir
    Path scratch;

    private final Queue<Error> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger published = new AtomicInteger();

    /** Takes whatever it is given, but for the errors that wait. */
    private final DraftDevice device = (DraftDevice) Proxy.newProxyInstance(
            DraftDevice.class.getClassLoader(), new Class<?>[] {DraftDevice.class}, (proxy, method, arguments) -> {
                return switch (method.getName()) {
                    case "publish" -> publish();
                    case "laneBytesMax" -> Long.MAX_VALUE;
                    case "sweep" -> true;
                    case "name" -> "a device";
                    default -> throw new AssertionError(method);
                };
            });

    private Object publish() {
        Error error = errors.poll();
        if (error != null) {
            throw error;
        }
        published.incrementAndGet();
        return null;
    }

    /** Direct memory that runs out, and a mapped file that its disk cannot read, are errors and no exceptions. */
    @Test
    void anUploadThatEndsInAnErrorTakesTheLaneOffTheDeviceAndIsTriedAgain() {
        ServedModel model = new ServedModel("model", "1", 1000, "tokenizer");
        ServedLanes lanes = new ServedLanes(model, FollowOptions.of(scratch.toUri(), scratch), 0);
        for (Error error : List.of(new OutOfMemoryError("direct"), new InternalError("mapped"))) {
            try (SnapshotUploads uploads = new SnapshotUploads(device)) {
                ImageMaker images = new ImageMaker(new SegmentIdentity("model@1/test", 1000, "tokenizer"), scratch);
                DeviceLane lane = new DeviceLane(0, lanes.ofRequest("test"), images, device);
                published.set(0);
                errors.add(error);
                uploads.changed(lane);
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> published.get() == 2);
                assertThat(uploads.failures()).as("%s", error).isEqualTo(1);
            }
        }
    }
}
