package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveSnapshotTest {
    private static final int SWAPS = 100_000;
    private static final int READERS = 4;

    @Test
    void snapshotIsClosedByItsLastReader() {
        AtomicInteger closed = new AtomicInteger();
        LiveSnapshot live = new LiveSnapshot(snapshot(1, closed));
        LoadedSnapshot leased = live.lease();
        live.swap(snapshot(2, new AtomicInteger()));
        assertThat(closed).hasValue(0);
        leased.release();
        assertThat(closed).hasValue(1);
        assertThat(live.version()).isEqualTo(2);
    }

    @Test
    void snapshotNobodyReadsIsClosedByTheSwap() {
        AtomicInteger closed = new AtomicInteger();
        LiveSnapshot live = new LiveSnapshot(snapshot(1, closed));
        live.swap(snapshot(2, new AtomicInteger()));
        assertThat(closed).hasValue(1);
    }

    @Test
    void releasingOnceTooOftenIsABug() {
        LoadedSnapshot snapshot = snapshot(1, new AtomicInteger());
        snapshot.release();
        assertThatThrownBy(snapshot::release).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void readersNeverSeeAClosedOrOlderSnapshotUnderAHundredThousandSwaps() throws InterruptedException {
        AtomicInteger closed = new AtomicInteger();
        LiveSnapshot live = new LiveSnapshot(mapped(0, closed));
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch reading = new CountDownLatch(READERS);
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            Thread reader = new Thread(() -> readUntil(live, done, reading, wrong));
            reader.setUncaughtExceptionHandler((thread, broken) -> wrong.incrementAndGet());
            reader.start();
            readers.add(reader);
        }
        assertThat(reading.await(60, TimeUnit.SECONDS)).as("all read").isTrue();
        for (int version = 1; version <= SWAPS; version++) {
            live.swap(mapped(version, closed));
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(wrong).hasValue(0);
        assertThat(closed).hasValue(SWAPS);
    }

    private static void readUntil(LiveSnapshot live, AtomicBoolean done, CountDownLatch reading, AtomicInteger wrong) {
        long newestSeen = 0;
        while (!done.get()) {
            LoadedSnapshot snapshot = live.lease();
            FakeSegment segment = (FakeSegment) snapshot.index().newest();
            boolean torn = segment.version() != snapshot.version();
            if (torn || segment.isClosed() || snapshot.version() < newestSeen) {
                wrong.incrementAndGet();
            }
            newestSeen = snapshot.version();
            snapshot.release();
            reading.countDown();
        }
    }

    private static LoadedSnapshot mapped(long version, AtomicInteger closed) {
        FakeSegment segment = new FakeSegment(version);
        return new LoadedSnapshot(version, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, null), () -> {
            segment.close();
            closed.incrementAndGet();
        });
    }

    private static LoadedSnapshot snapshot(long version, AtomicInteger closed) {
        return new LoadedSnapshot(version, DraftPolicy.defaults(), LaneIndex.EMPTY, closed::incrementAndGet);
    }
}
