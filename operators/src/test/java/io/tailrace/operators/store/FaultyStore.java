package io.tailrace.operators.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails when told to; the switch outlives the operators that open it. */
public final class FaultyStore implements DurableStore {
    private static final AtomicInteger FAILURES_TO_COME = new AtomicInteger();

    private static final long MEET_SECONDS_MAX = 10;
    private static volatile CyclicBarrier meeting;

    private final DurableStore behind;

    private FaultyStore(DurableStore behind) {
        this.behind = behind;
    }

    public static DurableStore.Factory around(DurableStore.Factory factory) {
        return () -> new FaultyStore(factory.open());
    }

    /** The next so many operations of all faulty stores fail. */
    public static void failNext(int operations) {
        FAILURES_TO_COME.set(operations);
    }

    /** How many of those are still to come. */
    public static int failuresToCome() {
        return FAILURES_TO_COME.get();
    }

    /** From now on each file is written only when so many are to be written at the same time; 0: at once. */
    public static void meet(int files) {
        meeting = files == 0 ? null : new CyclicBarrier(files);
    }

    private static void await(String what) throws IOException {
        CyclicBarrier others = meeting;
        if (others == null) {
            return;
        }
        try {
            others.await(MEET_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException e) {
            throw new IOException("no other file is written beside " + what, e);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void fail(String what) throws IOException {
        if (FAILURES_TO_COME.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("injected: " + what);
        }
    }

    @Override
    public void put(Path localFile, String path, String sha256) throws IOException {
        fail("put " + path);
        await(path);
        behind.put(localFile, path, sha256);
    }

    @Override
    public void fetch(String path, Path localFile) throws IOException {
        fail("fetch " + path);
        behind.fetch(path, localFile);
    }

    @Override
    public void delete(String path) throws IOException {
        fail("delete " + path);
        behind.delete(path);
    }

    @Override
    public List<DurableStore.StoredFile> list(String folder) throws IOException {
        fail("list " + folder);
        return behind.list(folder);
    }
}
