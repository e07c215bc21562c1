package io.tailrace.worker.serve;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that does what it is given, in order. */
final class OrderedWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderedWork.class);
    private static final long CLOSE_SECONDS_MAX = 60;

    private final String name;
    private final ExecutorService thread;

    OrderedWork(String name) {
        this.name = name;
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread worker = new Thread(work, name);
            worker.setDaemon(true);
            return worker;
        });
    }

    void execute(Runnable work) {
        thread.execute(work);
    }

    /** Returns when everything given until now is done, or a minute is over. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.error(
                        "{}: {} answers were not done in time",
                        name,
                        thread.shutdownNow().size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
