package io.tailrace.e2e.loop;

import io.tailrace.operators.store.DurableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A job's store that is away when told to. The switch outlives the operators that open it. */
final class BreakableStore implements DurableStore {
    private static volatile State state = State.WELL;

    private final DurableStore behind;

    /** How it is. */
    enum State {
        WELL,
        AWAY
    }

    private BreakableStore(DurableStore behind) {
        this.behind = behind;
    }

    static DurableStore.Factory around(DurableStore.Factory factory) {
        return () -> new BreakableStore(factory.open());
    }

    static void be(State now) {
        state = now;
    }

    private static void fail() throws IOException {
        if (state == State.AWAY) {
            throw new IOException("the store is away");
        }
    }

    @Override
    public void put(Path localFile, String path, String sha256) throws IOException {
        fail();
        behind.put(localFile, path, sha256);
    }

    @Override
    public void fetch(String path, Path localFile) throws IOException {
        fail();
        behind.fetch(path, localFile);
    }

    @Override
    public void delete(String path) throws IOException {
        fail();
        behind.delete(path);
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        fail();
        return behind.list(folder);
    }

    @Override
    public void close() {
        behind.close();
    }
}
