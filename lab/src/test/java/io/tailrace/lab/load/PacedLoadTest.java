package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.recorded.RecordedRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PacedLoadTest {
    private static final PacedLoad.Listener SILENT = (worker, request, served) -> {};

    @Test
    void inputsThatTakeTurnsReachEveryWorker() {
        for (int workers = 2; workers <= 5; workers++) {
            int[][] dealt = new int[workers][workers];
            for (int request = 0; request < workers * workers * 10; request++) {
                dealt[request % workers][PacedLoad.workerOf(request, workers)]++;
            }
            for (int[] input : dealt) {
                assertThat(input).as("%d workers", workers).containsOnly(10);
            }
        }
    }

    @Test
    void requestsAreDealtByAnAbsoluteScheduleInTurn() throws InterruptedException {
        SteppedClock clock = new SteppedClock();
        List<Long> dealtAt = new ArrayList<>();
        Iterator<RecordedRequest> input = new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                dealtAt.add(clock.nanos());
                return next < 10;
            }

            @Override
            public RecordedRequest next() {
                return request(Integer.toString(next++), null);
            }
        };
        List<List<String>> servedBy = List.of(new ArrayList<>(), new ArrayList<>());
        PacedLoad replay = new PacedLoad(List.of(into(servedBy.get(0)), into(servedBy.get(1))), pace(4), SILENT, clock);
        PacedLoad.Summary summary = replay.run(input);
        assertThat(summary.served()).isEqualTo(10);
        assertThat(servedBy.get(0)).containsExactly("0", "3", "4", "7", "8");
        assertThat(servedBy.get(1)).containsExactly("1", "2", "5", "6", "9");
        for (int i = 1; i < 10; i++) {
            assertThat(dealtAt.get(i)).isEqualTo((i - 1) * 250_000_000L);
        }
    }

    @Test
    void childNeverStartsBeforeItsParentHasFinished() throws InterruptedException {
        long seed = 42;
        Random random = new Random(seed);
        List<RecordedRequest> requests = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String parent = i == 0 || random.nextInt(3) == 0 ? null : Integer.toString(random.nextInt(i));
            requests.add(request(Integer.toString(i), parent));
        }
        Set<String> finished = Collections.synchronizedSet(new HashSet<>());
        AtomicInteger tooEarly = new AtomicInteger();
        PacedLoad.Server server = request -> {
            if (request.parent() != null && !finished.contains(request.parent())) {
                tooEarly.incrementAndGet();
            }
            LockSupport.parkNanos(random.nextInt(20_000));
            finished.add(request.id());
            return null;
        };
        PacedLoad replay = new PacedLoad(
                List.of(server, server, server, server),
                new PacedLoad.Pace(Double.POSITIVE_INFINITY, Long.MAX_VALUE, 3),
                SILENT);
        assertThat(replay.run(requests.iterator()).served()).as("seed %d", seed).isEqualTo(400);
        assertThat(tooEarly).hasValue(0);
    }

    @Test
    void endsAfterTheGivenNumberOfRequests() throws InterruptedException {
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        PacedLoad replay = new PacedLoad(List.of(into(served)), pace(1).withRequestsMax(3), SILENT, new SteppedClock());
        assertThat(replay.run(endless()).dealt()).isEqualTo(3);
        assertThat(served).hasSize(3);
    }

    @Test
    void stopFinishesWhatIsServedAndDropsWhatWaits() throws InterruptedException {
        CountDownLatch serving = new CountDownLatch(1);
        CountDownLatch mayFinish = new CountDownLatch(1);
        PacedLoad.Server slow = request -> {
            serving.countDown();
            awaitQuietly(mayFinish);
            return null;
        };
        PacedLoad replay =
                new PacedLoad(List.of(slow), new PacedLoad.Pace(Double.POSITIVE_INFINITY, Long.MAX_VALUE, 2), SILENT);
        AtomicReference<PacedLoad.Summary> summary = new AtomicReference<>();
        Thread runner = new Thread(() -> {
            try {
                summary.set(replay.run(endless()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        runner.start();
        serving.await();
        replay.stop();
        mayFinish.countDown();
        runner.join();
        assertThat(summary.get().served()).isEqualTo(1);
    }

    @Test
    void whatAWorkerThrowsEndsTheReplay() {
        PacedLoad.Server broken = request -> {
            throw new IllegalStateException("output differs");
        };
        PacedLoad replay = new PacedLoad(List.of(broken, broken), pace(1_000), SILENT, new SteppedClock());
        assertThatThrownBy(() -> replay.run(endless())).hasMessage("output differs");
    }

    @Test
    void whatTheInputThrowsEndsTheReplay() {
        Iterator<RecordedRequest> broken = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public RecordedRequest next() {
                throw new IllegalArgumentException("bad line");
            }
        };
        PacedLoad replay = new PacedLoad(List.of(r -> null), pace(1_000), SILENT, new SteppedClock());
        assertThatThrownBy(() -> replay.run(broken)).hasMessage("bad line");
    }

    @Test
    void paceOfRealServersIsStatedPerWorker() {
        assertThat(PacedLoad.Pace.ofRealServers(4).requestsPerSecond()).isEqualTo(10);
        assertThatThrownBy(() -> pace(0)).hasMessageContaining("requestsPerSecond must be above 0");
        assertThatThrownBy(() -> pace(Double.NaN)).hasMessageContaining("requestsPerSecond must be above 0");
    }

    private static PacedLoad.Pace pace(double requestsPerSecond) {
        return new PacedLoad.Pace(requestsPerSecond, Long.MAX_VALUE, 64);
    }

    private static PacedLoad.Server into(List<String> served) {
        return request -> {
            served.add(request.id());
            return (ServedRequest) null;
        };
    }

    private static Iterator<RecordedRequest> endless() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public RecordedRequest next() {
                return request(Integer.toString(next++), null);
            }
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static RecordedRequest request(String id, String parent) {
        return new RecordedRequest(
                id,
                "s",
                "w",
                null,
                parent,
                new int[0],
                0,
                new int[] {1},
                new RecordedRequest.Position(Path.of("f"), 1));
    }

    /** Sleeping moves it on; nothing waits. */
    private static final class SteppedClock implements PacedLoad.Clock {
        private long now;

        @Override
        public synchronized long nanos() {
            return now;
        }

        @Override
        public synchronized void sleep(long nanos) {
            now += nanos;
        }
    }
}
