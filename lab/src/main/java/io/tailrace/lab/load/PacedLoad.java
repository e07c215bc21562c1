package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.recorded.RecordedRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deals the requests of an input over workers, in turn and each round from the next worker on, one thread a worker. Request i
 * is dealt at the start plus i divided by the pace: an absolute schedule, so a late request does not delay those after it. A request that names a parent waits, in its
 * worker's thread, until the parent has finished; parents come earlier in the input and each worker serves in order, so the
 * oldest unfinished request never waits and all of them end.
 */
public final class PacedLoad {
    private static final Logger LOG = LoggerFactory.getLogger(PacedLoad.class);
    /** How late a stop is noticed at most. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<? extends Server> workers;
    private final Pace options;
    private final Listener listener;
    private final Clock clock;
    private final List<BlockingQueue<Dealt>> queues = new ArrayList<>();
    private final Map<RequestKey, CountDownLatch> unfinished = new ConcurrentHashMap<>();
    private final AtomicLong served = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean stopped;
    private volatile boolean allDealt;
    private long behindNanosMax;

    /** Ids are unique within a file. */
    private record RequestKey(Path file, String id) {}

    private record Dealt(RecordedRequest request, RequestKey key, CountDownLatch parentFinished) {}

    /** Hears of each request that was served. Called by the workers' threads, one at a time for each worker. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A request was served.
         *
         * @param worker index of the worker in the list given to {@link PacedLoad}
         */
        void served(int worker, RecordedRequest request, ServedRequest served);
    }

    /** The time that a pace is kept by. */
    interface Clock {
        Clock SYSTEM = new Clock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void sleep(long nanos) throws InterruptedException {
                TimeUnit.NANOSECONDS.sleep(nanos);
            }
        };

        long nanos();

        void sleep(long nanos) throws InterruptedException;
    }

    /**
     * What was done.
     *
     * @param dealt requests given to workers
     * @param served requests served to their end
     * @param behindMillisMax longest delay against the schedule: what the workers could not keep up with
     */
    public record Summary(long dealt, long served, long behindMillisMax) {}

    public PacedLoad(List<? extends Server> workers, Pace options, Listener listener) {
        this(workers, options, listener, Clock.SYSTEM);
    }

    PacedLoad(List<? extends Server> workers, Pace options, Listener listener, Clock clock) {
        if (workers.isEmpty()) {
            throw new IllegalArgumentException("a load needs at least one worker");
        }
        this.workers = List.copyOf(workers);
        this.options = options;
        this.listener = listener;
        this.clock = clock;
        workers.forEach(worker -> queues.add(new ArrayBlockingQueue<>(options.queuedMax())));
    }

    /**
     * Serves until the input ends, the limit is reached, or {@link #stop} is called. What a worker throws ends the load and
     * is thrown here.
     */
    public Summary run(Iterator<RecordedRequest> input) throws InterruptedException {
        List<Thread> threads = startWorkers();
        long dealt = 0;
        try {
            dealt = deal(input);
            allDealt = true;
        } catch (RuntimeException | InterruptedException e) {
            stop();
            throw e;
        } finally {
            for (Thread thread : threads) {
                thread.join();
            }
        }
        rethrowFailure();
        return new Summary(dealt, served.get(), TimeUnit.NANOSECONDS.toMillis(behindNanosMax));
    }

    /** Requests being served are finished, those waiting are dropped. */
    public void stop() {
        stopped = true;
    }

    private long deal(Iterator<RecordedRequest> input) throws InterruptedException {
        long start = clock.nanos();
        long dealt = 0;
        while (!stopped && dealt < options.requestsMax() && input.hasNext()) {
            RecordedRequest request = input.next();
            awaitDue(start + options.dueNanos(dealt));
            if (!enqueue(request, queues.get(workerOf(dealt, queues.size())))) {
                break;
            }
            behindNanosMax = Math.max(behindNanosMax, clock.nanos() - start - options.dueNanos(dealt));
            dealt++;
        }
        return dealt;
    }

    /**
     * Each round begins with the next worker: were the order the same in all, inputs that take turns would go each to a worker
     * of its own, and none would see what the others answer.
     */
    static int workerOf(long request, int workers) {
        return (int) ((request + request / workers) % workers);
    }

    private void awaitDue(long dueNanos) throws InterruptedException {
        long wait = dueNanos - clock.nanos();
        while (!stopped && wait > 0) {
            clock.sleep(Math.min(wait, LOOK_NANOS));
            wait = dueNanos - clock.nanos();
        }
    }

    /** False if the load was stopped meanwhile. */
    private boolean enqueue(RecordedRequest request, BlockingQueue<Dealt> queue) throws InterruptedException {
        Path file = request.position().file();
        CountDownLatch parent =
                request.parent() == null ? null : unfinished.get(new RequestKey(file, request.parent()));
        RequestKey key = new RequestKey(file, request.id());
        unfinished.put(key, new CountDownLatch(1));
        Dealt dealt = new Dealt(request, key, parent);
        while (!stopped) {
            if (queue.offer(dealt, LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                return true;
            }
        }
        return false;
    }

    private List<Thread> startWorkers() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            int worker = i;
            Thread thread = new Thread(() -> serveAll(worker), "load-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    /** A worker's thread: what it throws ends the load. */
    private void serveAll(int worker) {
        try {
            BlockingQueue<Dealt> queue = queues.get(worker);
            while (!stopped) {
                boolean last = allDealt;
                Dealt dealt = queue.poll(last ? 0 : LOOK_NANOS, TimeUnit.NANOSECONDS);
                if (dealt != null) {
                    serve(worker, dealt);
                } else if (last) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            stop();
        } catch (RuntimeException | Error e) {
            LOG.error("worker {} ends the load", worker, e);
            failure.compareAndSet(null, e);
            stop();
        }
    }

    private void serve(int worker, Dealt dealt) throws InterruptedException {
        CountDownLatch parent = dealt.parentFinished;
        while (parent != null && !parent.await(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
            if (stopped) {
                return;
            }
        }
        var record = workers.get(worker).serve(dealt.request);
        finished(dealt.key);
        served.incrementAndGet();
        listener.served(worker, dealt.request, record);
    }

    private void finished(RequestKey key) {
        CountDownLatch latch = unfinished.remove(key);
        if (latch != null) {
            latch.countDown();
        }
    }

    private void rethrowFailure() {
        Throwable wrong = failure.get();
        if (wrong instanceof RuntimeException e) {
            throw e;
        }
        if (wrong instanceof Error e) {
            throw e;
        }
    }

    /**
     * How fast requests are dealt.
     *
     * @param requestsPerSecond over all workers; {@link Double#POSITIVE_INFINITY}: as fast as they serve, which makes freshness
     *     meaningless
     * @param requestsMax the load ends after so many
     * @param queuedMax requests that wait for one worker at most; a full queue holds the dealing up
     */
    public record Pace(double requestsPerSecond, long requestsMax, int queuedMax) {
        /**
         * Requests a second and worker of a real server: ten a second over four workers that each run an 8B model on one GPU
         * and answer with some 200 tokens.
         */
        public static final double REQUESTS_PER_SECOND_OF_ONE_SERVER = 2.5;

        public Pace {
            if (!(requestsPerSecond > 0)) {
                throw new IllegalArgumentException("requestsPerSecond must be above 0, got " + requestsPerSecond);
            }
            if (requestsMax < 0 || queuedMax < 1) {
                throw new IllegalArgumentException(
                        "requestsMax must not be negative and queuedMax at least 1, got %d and %d"
                                .formatted(requestsMax, queuedMax));
            }
        }

        /** The pace of so many real servers, no limit of requests, 64 queued a worker. */
        public static Pace ofRealServers(int workers) {
            return new Pace(REQUESTS_PER_SECOND_OF_ONE_SERVER * workers, Long.MAX_VALUE, 64);
        }

        public Pace withRequestsPerSecond(double pace) {
            return new Pace(pace, requestsMax, queuedMax);
        }

        public Pace withRequestsMax(long max) {
            return new Pace(requestsPerSecond, max, queuedMax);
        }

        /** When a request is due, in nanoseconds after the start. */
        long dueNanos(long request) {
            return (long) (request / requestsPerSecond * 1e9);
        }
    }

    /** Serves recorded requests on the caller's thread. */
    public interface Server {
        ServedRequest serve(RecordedRequest request);
    }
}
