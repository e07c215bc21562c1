package io.tailrace.e2e.serving;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/** Clients that ask one question after the other, until they are told to stop or their worker is gone. */
final class Crowd implements AutoCloseable {
    static final int CLIENTS = 4;
    private static final Duration ANSWERED_MAX = Duration.ofSeconds(60);

    private final WorkerClient client;
    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<?>> asking = new ArrayList<>();
    private volatile boolean stopped;

    Crowd(WorkerClient client, long seed) {
        this.client = client;
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(seed + i);
            asking.add(threads.submit(() -> ask(random)));
        }
    }

    /** Waits until so many more answers have come. */
    void awaitMore(int answers) {
        int enough = told.size() + answers;
        Awaitility.await(answers + " answers").atMost(ANSWERED_MAX).until(() -> told.size() >= enough);
    }

    /** Everything that its clients got whole. */
    List<Told> stop() throws InterruptedException, ExecutionException {
        stopped = true;
        for (Future<?> each : asking) {
            each.get();
        }
        return List.copyOf(told);
    }

    private Void ask(Random random) throws InterruptedException {
        try {
            while (!stopped) {
                told.add(client.ask(random));
            }
        } catch (IOException workerGone) {
            stopped = true;
        }
        return null;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
