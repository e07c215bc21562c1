package io.tailrace.lab.demo;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.demo.DemoResult.WorkerShare;
import io.tailrace.lab.load.LoadServingOptions;
import io.tailrace.lab.load.PaceOptions;
import io.tailrace.lab.load.PacedLoad;
import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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
    private final List<AloneReplay> alone = new ArrayList<>();

    DemoRun(LoopUnderLoad loop, DemoWorkload workload, double pace, long requestsMax) {
        this.loop = loop;
        this.workload = workload;
        PaceOptions options = PaceOptions.ofRealServers(loop.workers().size())
                .withRequestsPerSecond(pace)
                .withRequestsMax(requestsMax);
        for (int worker = 0; worker < loop.workers().size(); worker++) {
            byWorker.add(new FleetTotals());
            alone.add(new AloneReplay(LoadServingOptions.defaults().budgetMax()));
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
            try (DemoProgress progress = new DemoProgress(out, requests)) {
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

    private void watch(LoopObserver observer, DemoProgress progress) {
        observer.poll(POLL);
        progress.show(observer.total(), observer.newestVersion(), percentile(loop.freshness(), 99));
    }

    /** Until every served request is on topic outcomes and none of its tokens is pending, or the time is over. */
    private void settle(LoopObserver observer, DemoProgress progress, long served) {
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
        synchronized (alone.get(worker)) {
            alone.get(worker).serve(request);
        }
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
}
