package io.tailrace.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Look-ups take seconds, and whoever asks holds a thread that all pages need. */
class FollowedFleetTest {
    private final TopicsInMemory topics = new TopicsInMemory();
    private final CountDownLatch looking = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger opened = new AtomicInteger();

    @Test
    void whoAsksWhileAnotherRequestIsLookedUpIsToldSoAtOnce() throws Exception {
        try (FollowedFleet fleet = FollowedFleet.start(this::open)) {
            CompletableFuture<GenerationTrace> first = CompletableFuture.supplyAsync(() -> fleet.generation("one"));
            looking.await();
            for (int i = 0; i < 300; i++) {
                assertThatThrownBy(() -> fleet.generation("another"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another request is being looked up");
            }
            released.countDown();
            assertThat(first.get()).isNotNull();
            assertThat(fleet.generation("another")).isNotNull();
        }
    }

    /** The first is the view's own; the second look-up waits until it may go on. */
    private LoopTopics open() {
        if (opened.getAndIncrement() == 1) {
            looking.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return topics.openPartitionwise();
    }
}
