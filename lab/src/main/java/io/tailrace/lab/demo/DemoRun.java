package io.tailrace.lab.demo;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.demo.DemoResult.WorkerShare;
import io.tailrace.lab.load.PacedLoad;
import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.replay.NoLag;
import io.tailrace.lab.replay.ReplayCase;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.HdrHistogram.Histogram;

/** Serves a workload through a running loop and watches it until everything is accounted for. */
final class DemoRun {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration SETTLING_MAX = Duration.ofSeconds(60);

    private final LoopUnderLoad loop;
    private final DemoWorkload workload;
    private final PacedLoad load;
    private final SortedMap<String, FleetTotals> byWorkload = new TreeMap<>();
    private final List<FleetTotals> byWorker = new ArrayList<>();
    private final List<Alone> alone = new ArrayList<>();

    DemoRun(LoopUnderLoad loop, DemoWorkload workload, double pace, long requestsMax) {
        this.loop = loop;
        this.workload = workload;
        PacedLoad.Pace options = PacedLoad.Pace.ofRealServers(loop.workers().size())
                .withRequestsPerSecond(pace)
                .withRequestsMax(requestsMax);
        for (int worker = 0; worker < loop.workers().size(); worker++) {
            byWorker.add(new FleetTotals());
            alone.add(new Alone());
        }
        this.load = new PacedLoad(loop.workers(), options, this::served);
    }

    /** Ends the load early; {@link #run} then settles and returns what was measured so far. */
    void stop() {
        load.stop();
    }

    DemoResult run(PrintWriter out, long requests) throws Exception {
        FutureTask<PacedLoad.Summary> loading = start(() -> load.run(workload.iterator()));
        try (LoopObserver observer = loop.observe()) {
            try (Progress progress = new Progress(out, requests)) {
                while (!loading.isDone()) {
                    watch(observer, progress);
                }
                settle(observer, progress, get(loading).served());
            }
            return result(observer, get(loading).served());
        } finally {
            load.stop();
        }
    }

    private void watch(LoopObserver observer, Progress progress) {
        observer.poll(POLL);
        progress.show(observer.total(), observer.newestVersion(), percentile(loop.freshness(), 99));
    }

    /** Until every served request is on topic outcomes and none of its tokens is pending, or the time is over. */
    private void settle(LoopObserver observer, Progress progress, long served) {
        long deadline = System.nanoTime() + SETTLING_MAX.toNanos();
        while (System.nanoTime() < deadline
                && (observer.total().requests() < served
                        || !observer.accounting().settled())) {
            watch(observer, progress);
        }
    }

    private DemoResult result(LoopObserver observer, long served) {
        Histogram freshness = loop.freshness();
        Histogram heard = loop.heard();
        synchronized (byWorkload) {
            return new DemoResult(
                    served,
                    observer.total(),
                    new TreeMap<>(byWorkload),
                    workerShares(),
                    percentile(heard, 50),
                    percentile(heard, 99),
                    percentile(freshness, 50),
                    percentile(freshness, 99),
                    observer.newestVersion(),
                    observer.accounting(),
                    workload.badLines());
        }
    }

    private List<WorkerShare> workerShares() {
        List<WorkerShare> shares = new ArrayList<>();
        for (int worker = 0; worker < byWorker.size(); worker++) {
            shares.add(new WorkerShare(
                    loop.workers().get(worker).name(),
                    byWorker.get(worker),
                    alone.get(worker).steps()));
        }
        return shares;
    }

    /** Called by the workers' threads. */
    private void served(int worker, RecordedRequest request, ServedRequest served) {
        alone.get(worker).serve(request);
        synchronized (byWorkload) {
            byWorker.get(worker).add(served.outcome());
            byWorkload
                    .computeIfAbsent(request.workload(), name -> new FleetTotals())
                    .add(served.outcome());
        }
    }

    private static long percentile(Histogram histogram, double percentile) {
        return histogram.getTotalCount() == 0 ? -1 : histogram.getValueAtPercentile(percentile);
    }

    private static FutureTask<PacedLoad.Summary> start(Callable<PacedLoad.Summary> work) {
        FutureTask<PacedLoad.Summary> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "demo-dealing");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static PacedLoad.Summary get(FutureTask<PacedLoad.Summary> done) throws Exception {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * What a worker would have had alone: each of its requests once more, drafted from its own context and the worker's own earlier answers of
     * that scope, which are there at once. What the worker really got beyond that came from the others.
     */
    static final class Alone {
        private final Map<String, NoLag> scopes = new HashMap<>();
        private long steps;

        synchronized void serve(RecordedRequest request) {
            NoLag own = scopes.computeIfAbsent(request.scope(), scope -> new NoLag(true));
            steps += own.serve(ReplayCase.of(request.prompt(), request.response()))
                    .steps();
        }

        /** Verifications so far. */
        synchronized long steps() {
            return steps;
        }
    }

    /** The line that shows how the demo goes: a bar on a terminal, else a line now and then. */
    static final class Progress implements AutoCloseable {
        /** Set by the launcher when standard error is a terminal. */
        static final String TERMINAL_PROPERTY = "tailrace.terminal";

        private static final long WINDOW_NANOS = 10_000_000_000L;
        private static final long LINE_EVERY_NANOS = 5_000_000_000L;

        private final PrintWriter out;
        private final long requests;
        private final ProgressBar bar;
        private final Deque<Sample> window = new ArrayDeque<>();
        private long linePrintedAt;

        private record Sample(long nanos, long tokens, long steps, long ownTokens, long ownSteps) {}

        Progress(PrintWriter out, long requests) {
            this.out = out;
            this.requests = requests;
            this.bar = Boolean.getBoolean(TERMINAL_PROPERTY) ? newBar(requests) : null;
            this.linePrintedAt = System.nanoTime();
        }

        /** Shows where things stand; to be called a few times a second. */
        void show(FleetTotals totals, long snapshotVersion, long freshnessMillis) {
            long now = System.nanoTime();
            Sample newest = new Sample(
                    now, totals.responseTokens(), totals.steps(), totals.ownContextTokens(), totals.ownContextSteps());
            window.add(newest);
            while (now - window.peek().nanos() > WINDOW_NANOS) {
                window.remove();
            }
            String message = message(window.peek(), newest, snapshotVersion, freshnessMillis);
            if (bar != null) {
                bar.stepTo(totals.requests());
                bar.setExtraMessage(" " + message);
            } else if (now - linePrintedAt >= LINE_EVERY_NANOS) {
                linePrintedAt = now;
                out.println("%,d of %,d requests, %s".formatted(totals.requests(), requests, message));
                out.flush();
            }
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }

        private static String message(Sample oldest, Sample newest, long snapshotVersion, long freshnessMillis) {
            return String.format(
                    Locale.ROOT,
                    "tokens/step %s (own context only %s), snapshot %s, freshness p99 %s",
                    ratio(newest.tokens() - oldest.tokens(), newest.steps() - oldest.steps()),
                    ratio(newest.ownTokens() - oldest.ownTokens(), newest.ownSteps() - oldest.ownSteps()),
                    snapshotVersion == 0 ? "-" : Long.toString(snapshotVersion),
                    freshnessMillis < 0 ? "-" : freshnessMillis + " ms");
        }

        private static String ratio(long tokens, long steps) {
            return steps == 0 ? "-" : String.format(Locale.ROOT, "%.2f", (double) tokens / steps);
        }

        private static ProgressBar newBar(long requests) {
            return new ProgressBarBuilder()
                    .setTaskName("demo")
                    .setInitialMax(requests)
                    .setUnit(" requests", 1)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(500)
                    .clearDisplayOnFinish()
                    .build();
        }
    }
}
