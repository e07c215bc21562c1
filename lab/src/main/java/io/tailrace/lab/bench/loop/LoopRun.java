package io.tailrace.lab.bench.loop;

import io.tailrace.client.follow.FreshFrom;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.load.PacedLoad;
import io.tailrace.lab.load.RecordedVerifier;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.replay.NoLag;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.local.LocalJob;
import io.tailrace.local.LocalLoop;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Serves recorded requests through a loop of its own, and beside it what each worker would have had alone. */
final class LoopRun {
    /** Stands for milliseconds of what did not happen. */
    static final long NONE = -1;

    private static final Duration EVENTS_MAX = Duration.ofSeconds(5);
    /** Drafts cost nothing to verify, so that none is cut short: what is compared with drafts in full. */
    private static final RecordedVerifier.StepTime FLAT = new RecordedVerifier.StepTime(15_000, 0);

    private static final ServedModel MODEL =
            new ServedModel("recorded", "1", ShiftTraffic.VOCABULARY, "vocabulary-" + ShiftTraffic.VOCABULARY);

    private final List<ReplayCase> cases;
    private final double requestsPerSecond;
    private final FreshFrom freshFrom;
    private final boolean prompts;
    private final NoLag.Figure[] loop;
    private final NoLag.Figure[] silos;
    private final List<NoLag> alone = new ArrayList<>();

    /**
     * What came out.
     *
     * @param loop each request, as it was served
     * @param silos each request, served from what its worker answered itself, without lag
     * @param heardP50Millis completion of another worker's answer to the moment it could be drafted from; {@link #NONE}: none was before a snapshot had it
     * @param heardP99Millis {@link #NONE}: none
     * @param freshnessP50Millis of snapshots; {@link #NONE}: none measured
     * @param freshnessP99Millis {@link #NONE}: none measured
     * @param announcedP50Millis from a generation's completion to its announcement, not yet visible; {@link #NONE}: none
     * @param checkpointMillisMax longest checkpoint; {@link #NONE}: none completed
     * @param alarms generations the job had seen at each drift alarm
     * @param behindMillisMax how far the workers were behind the pace at most
     */
    record Result(
            NoLag.Figure[] loop,
            NoLag.Figure[] silos,
            long heardP50Millis,
            long heardP99Millis,
            long freshnessP50Millis,
            long freshnessP99Millis,
            long announcedP50Millis,
            long checkpointMillisMax,
            List<Long> alarms,
            long behindMillisMax) {
        /** Whether snapshots were so fresh and checkpoints so short; where there were none, they were not. */
        boolean isWithin(long freshnessMillisGoal, long checkpointMillisGoal) {
            return freshnessP99Millis != NONE
                    && freshnessP99Millis <= freshnessMillisGoal
                    && checkpointMillisMax != NONE
                    && checkpointMillisMax <= checkpointMillisGoal;
        }
    }

    /**
     * @param requestsPerSecond of all workers together
     * @param freshFrom whose answers a worker drafts from before a snapshot has them
     * @param prompts workers send the prompts with the answers
     */
    LoopRun(List<ReplayCase> cases, int workers, double requestsPerSecond, FreshFrom freshFrom, boolean prompts) {
        this.freshFrom = freshFrom;
        this.prompts = prompts;
        this.cases = cases;
        this.requestsPerSecond = requestsPerSecond;
        this.loop = new NoLag.Figure[cases.size()];
        this.silos = new NoLag.Figure[cases.size()];
        for (int worker = 0; worker < workers; worker++) {
            alone.add(new NoLag(prompts));
        }
    }

    /** Runs the loop in a folder of its own; further arguments go to the job. */
    Result run(Path folder, String... jobArguments) throws IOException, InterruptedException {
        LocalLoop.Options options = LoopUnderLoad.options(folder, MODEL).withJobArguments(jobArguments);
        LoadWorker.Serving serving =
                LoadWorker.Serving.defaults().withStepTime(FLAT).withReportPrompts(prompts);
        try (LoopUnderLoad running = LoopUnderLoad.start(options, serving, freshFrom)) {
            for (int worker = 1; worker <= alone.size(); worker++) {
                running.addWorker("worker-" + worker);
            }
            PacedLoad.Pace pace = PacedLoad.Pace.ofRealServers(alone.size()).withRequestsPerSecond(requestsPerSecond);
            PacedLoad load = new PacedLoad(running.workers(), pace, this::served);
            PacedLoad.Summary summary = load.run(requests().iterator());
            Told told = told(running);
            Histogram freshness = running.freshness();
            Histogram heard = running.heard();
            return new Result(
                    loop,
                    silos,
                    percentile(heard, 50),
                    percentile(heard, 99),
                    percentile(freshness, 50),
                    percentile(freshness, 99),
                    percentile(told.announcedMillis(), 50),
                    checkpointMillisMax(running.loop().job()),
                    told.alarms(),
                    summary.behindMillisMax());
        }
    }

    private static long checkpointMillisMax(LocalJob job) throws IOException {
        long millis = job.checkpointMillisMax();
        return millis == 0 ? NONE : millis;
    }

    private static long percentile(Histogram of, double percentile) {
        return of.getTotalCount() == 0 ? NONE : of.getValueAtPercentile(percentile);
    }

    /** What the job's topics say. */
    private record Told(List<Long> alarms, Histogram announcedMillis) {}

    private static Told told(LoopUnderLoad running) {
        try (LoopObserver observer = running.observe()) {
            long deadline = System.nanoTime() + EVENTS_MAX.toNanos();
            while (System.nanoTime() < deadline) {
                observer.poll(Duration.ofMillis(200));
            }
            List<Long> alarms = observer.all(EventKind.DRIFT).stream()
                    .map(Event::getNumbers)
                    .map(numbers -> numbers.getOrDefault("generations", 0L))
                    .toList();
            return new Told(alarms, observer.announcedMillis());
        }
    }

    /** Called by the workers' threads; each has a silo of its own. */
    private void served(int worker, RecordedRequest request, ServedRequest served) {
        int number = Integer.parseInt(request.id().substring(request.id().lastIndexOf('-') + 1));
        loop[number] = new NoLag.Figure(
                served.decoded().tally().steps(), served.decoded().tally().accepted());
        synchronized (alone.get(worker)) {
            silos[number] = alone.get(worker).serve(cases.get(number));
        }
    }

    /** As workers are dealt them. */
    private List<RecordedRequest> requests() {
        List<RecordedRequest> requests = new ArrayList<>();
        for (ReplayCase request : cases) {
            requests.add(new RecordedRequest(
                    "request-" + requests.size(),
                    "default",
                    request.workload(),
                    null,
                    null,
                    request.prompt(),
                    request.prompt().length,
                    request.response(),
                    new RecordedRequest.Position(Path.of("recorded"), requests.size() + 1)));
        }
        return requests;
    }
}
