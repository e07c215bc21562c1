package io.tailrace.operators.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.junit.jupiter.api.Test;

final class EvaluationQueueTest {
    private static final long PATIENCE_SECONDS = 60;

    private final ThreadSafeSimpleCounter evaluated = new ThreadSafeSimpleCounter();
    private final ThreadSafeSimpleCounter skipped = new ThreadSafeSimpleCounter();
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch busy = new CountDownLatch(1);

    private EvaluationQueue queue(double share) {
        return new EvaluationQueue(Executors.newSingleThreadExecutor(), share, evaluated, skipped);
    }

    private boolean awaitTheTest() {
        try {
            return busy.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void whoOffersDoesNotWaitHoweverLongAEvaluationTakes() throws Exception {
        EvaluationQueue queue = queue(0.99);
        queue.offer(this::awaitTheTest, () -> done.add("first"));
        for (int i = 1; i < 1_000; i++) {
            queue.offer(() -> done.add("evaluation"), () -> {});
        }
        assertThat(skipped.getCount()).isEqualTo(1_000 - EvaluationQueue.WAITING_MAX);
        busy.countDown();
        CountDownLatch all = new CountDownLatch(1);
        queue.after(all::countDown);
        assertThat(all.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(evaluated.getCount() + skipped.getCount()).isEqualTo(1_000);
        queue.close(() -> {});
    }

    /** For measuring what learning from all of it costs, say. */
    @Test
    void withAllOfTheTimeNothingIsLeftOut() throws Exception {
        EvaluationQueue queue = queue(1);
        for (int i = 0; i < 10 * EvaluationQueue.WAITING_MAX; i++) {
            queue.offer(() -> done.add("evaluated"), () -> {});
        }
        queue.after(busy::countDown);
        assertThat(busy.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(done).hasSize(10 * EvaluationQueue.WAITING_MAX);
        assertThat(skipped.getCount()).isZero();
        queue.close(() -> {});
    }

    @Test
    void whatAEvaluationReadsIsLetGoOfBehindIt() throws Exception {
        EvaluationQueue queue = queue(0.99);
        queue.offer(this::awaitTheTest, () -> done.add("evaluated"));
        queue.after(() -> done.add("released"));
        assertThat(done).isEmpty();
        busy.countDown();
        queue.close(() -> done.add("closed"));
        assertThat(done).containsExactly("evaluated", "released", "closed");
    }

    @Test
    void whatWaitsAtTheEndIsLeftOutAndEverythingIsEndedOnce() throws Exception {
        EvaluationQueue queue = queue(0.99);
        queue.offer(this::awaitTheTest, () -> done.add("ended"));
        for (int i = 0; i < 10; i++) {
            queue.offer(() -> done.add("evaluated"), () -> done.add("ended"));
        }
        Thread closing = new Thread(() -> {
            try {
                queue.close(() -> queue.after(() -> done.add("closed")));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        closing.start();
        while (!queue.isClosed()) {
            Thread.onSpinWait();
        }
        busy.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        assertThat(done).hasSize(12).endsWith("closed").doesNotContain("evaluated");
    }

    @Test
    void aEvaluationThatBreaksFailsTheTask() throws Exception {
        EvaluationQueue queue = queue(0.99);
        queue.check();
        queue.offer(
                () -> {
                    throw new IllegalArgumentException("broken");
                },
                busy::countDown);
        assertThat(busy.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(queue::check).hasRootCauseMessage("broken");
        queue.close(() -> {});
    }
}
