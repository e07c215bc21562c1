package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reports of ended requests on their way to a disk that stands still. */
class EndedReportsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int HALF = EndedReports.TOKENS_MAX / 2;

    private final CountDownLatch disk = new CountDownLatch(1);
    private final List<Integer> handedOn = new CopyOnWriteArrayList<>();
    private final EndedReports reports = new EndedReports();

    private void report(int number) {
        try {
            assertThat(disk.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        handedOn.add(number);
    }

    private Thread brings(int number, int size) {
        Thread thread = new Thread(() -> reports.add(size, () -> report(number), () -> {}));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void whoBringsMoreTokensThanMayWaitWaitsForTheDisk() throws Exception {
        reports.add(HALF, () -> report(1), () -> {});
        reports.add(HALF, () -> report(2), () -> {});
        Thread third = brings(3, 1);
        await().atMost(SOON).until(() -> third.getState() == Thread.State.TIMED_WAITING);
        Thread larger = brings(4, Integer.MAX_VALUE);
        disk.countDown();
        third.join(SOON.toMillis());
        larger.join(SOON.toMillis());
        await().atMost(SOON).until(() -> handedOn.size() == 4);
        assertThat(handedOn).startsWith(1, 2);
        reports.add(HALF, () -> report(5), () -> {});
        reports.close();
        assertThat(handedOn).hasSize(5);
    }

    @Test
    void aReportThatFailsGivesItsRoomBack() {
        for (int i = 0; i < 4; i++) {
            reports.add(
                    HALF,
                    () -> {
                        throw new IllegalStateException("no such lane");
                    },
                    () -> {});
        }
        reports.close();
        assertThat(reports.failures()).isEqualTo(4);
    }

    @Test
    void noneIsTakenOnceTheAgentStops() {
        reports.close();
        assertThatThrownBy(() -> reports.add(1, () -> {}, () -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
