package io.tailrace.lab.bench.scale;

import io.tailrace.operators.store.DurableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A store whose requests are counted, all stores of this process together. */
final class CountingStore implements DurableStore {
    private static final AtomicLong PUTS = new AtomicLong();
    private static final AtomicLong PUT_BYTES = new AtomicLong();
    private static final AtomicLong FETCHES = new AtomicLong();
    private static final AtomicLong FETCH_BYTES = new AtomicLong();
    private static final AtomicLong LISTS = new AtomicLong();
    private static final AtomicLong DELETES = new AtomicLong();

    private final DurableStore store;

    private CountingStore(DurableStore store) {
        this.store = store;
    }

    /** Stores that another factory opens, counted. */
    static Factory around(Factory factory) {
        return () -> new CountingStore(factory.open());
    }

    /** What was counted, with what else the process has used. */
    static JobUse use(long cpuNanos, long heapBytes, long peakResidentBytes, long checkpointBytes) {
        return new JobUse(
                cpuNanos,
                heapBytes,
                peakResidentBytes,
                checkpointBytes,
                PUTS.get(),
                PUT_BYTES.get(),
                FETCHES.get(),
                FETCH_BYTES.get(),
                LISTS.get(),
                DELETES.get());
    }

    @Override
    public void put(Path localFile, String path, String sha256) throws IOException {
        store.put(localFile, path, sha256);
        PUTS.incrementAndGet();
        PUT_BYTES.addAndGet(Files.size(localFile));
    }

    @Override
    public void fetch(String path, Path localFile) throws IOException {
        store.fetch(path, localFile);
        FETCHES.incrementAndGet();
        FETCH_BYTES.addAndGet(Files.size(localFile));
    }

    @Override
    public void delete(String path) throws IOException {
        store.delete(path);
        DELETES.incrementAndGet();
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        LISTS.incrementAndGet();
        return store.list(folder);
    }

    @Override
    public String toString() {
        return store.toString();
    }

    @Override
    public void close() {
        store.close();
    }
}
