package io.tailrace.e2e.loop;

import io.tailrace.operators.store.DurableStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the job in the window between a durable file and the manifest that names it: once armed, the first segment that is
 * put is written for good, and then the call does not return until the window is closed. Whoever waits for the window can
 * kill the job meanwhile, knowing that the file is there and the manifest is not.
 */
final class CrashWindow {
    private static final AtomicReference<CrashWindow> ARMED = new AtomicReference<>();
    private static final long HELD_SECONDS_MAX = 60;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private CrashWindow() {}

    static DurableStore.Factory around(DurableStore.Factory stores) {
        return () -> new HeldStore(stores.open());
    }

    static CrashWindow arm() {
        CrashWindow window = new CrashWindow();
        ARMED.set(window);
        return window;
    }

    boolean awaitReached(long seconds) throws InterruptedException {
        return reached.await(seconds, TimeUnit.SECONDS);
    }

    void close() {
        closed.countDown();
    }

    private record HeldStore(DurableStore store) implements DurableStore {
        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            store.put(localFile, path, sha256);
            CrashWindow window = path.endsWith(".segment") ? ARMED.getAndSet(null) : null;
            if (window != null) {
                window.reached.countDown();
                window.hold();
            }
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            store.fetch(path, localFile);
        }

        @Override
        public void delete(String path) throws IOException {
            store.delete(path);
        }

        @Override
        public List<DurableStore.StoredFile> list(String folder) throws IOException {
            return store.list(folder);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private void hold() throws InterruptedIOException {
        try {
            if (!closed.await(HELD_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new InterruptedIOException("the crash window was never closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("killed in the crash window");
        }
    }
}
