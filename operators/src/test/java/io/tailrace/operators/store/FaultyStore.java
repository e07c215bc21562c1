package io.tailrace.operators.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails when told to; the switch outlives the operators that open it. */
public final class FaultyStore implements DurableStore {
    private static final AtomicInteger FAILURES_TO_COME = new AtomicInteger();

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

    private static void fail(String what) throws IOException {
        if (FAILURES_TO_COME.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("injected: " + what);
        }
    }

    @Override
    public void put(Path localFile, String path, String sha256) throws IOException {
        fail("put " + path);
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
