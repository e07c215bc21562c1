package io.tailrace.lab.replay;

import io.tailrace.suffix.draft.Drafter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Many runs, some at a time: each in one thread, none knowing of the others, so that figures do not depend on how many run
 * together (times do).
 */
public final class ReplaySuite {
    private final List<ReplayRun> runs;
    private final Consumer<ReplayRun.Done> listener;
    private final AtomicLong tokensDone = new AtomicLong();

    public ReplaySuite(List<ReplayRun> runs) {
        this(runs, done -> {});
    }

    /** With a listener that is told of each run when it is done, from the thread that did it. */
    public ReplaySuite(List<ReplayRun> runs, Consumer<ReplayRun.Done> listener) {
        this.runs = List.copyOf(runs);
        this.listener = listener;
    }

    /** Response tokens to be decoded, over all runs. */
    public long tokens() {
        return runs.stream().mapToLong(run -> run.stream().tokens()).sum();
    }

    /** Those decoded so far; may be asked from any thread. */
    public long tokensDone() {
        return tokensDone.get();
    }

    /** Does all runs; the results stand in the order of the runs. */
    public List<ReplayRun.Done> run(int threads) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, ReplaySuite::daemon);
        try {
            List<Future<ReplayRun.Done>> pending = new ArrayList<>();
            runs.forEach(run -> pending.add(pool.submit(() -> done(run))));
            List<ReplayRun.Done> done = new ArrayList<>();
            for (Future<ReplayRun.Done> one : pending) {
                done.add(one.get());
            }
            return done;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a replay failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private ReplayRun.Done done(ReplayRun run) {
        List<SpeculatingDrafter> speculating = new ArrayList<>();
        Supplier<Drafter> drafters = () -> {
            Drafter drafter = run.strategy().drafter(run.weights());
            if (!run.speculation().isAsked()) {
                return drafter;
            }
            speculating.add(new SpeculatingDrafter(drafter, run.speculation()));
            return speculating.get(speculating.size() - 1);
        };
        OnlineReplay replay = new OnlineReplay(run.stream(), run.protocol());
        ReplayResult result = replay.run(drafters, run.budget(), tokensDone::addAndGet);
        List<SimulatedSpeculation.Figures> figures = List.of();
        for (SpeculatingDrafter drafter : speculating) {
            figures = SimulatedSpeculation.sum(figures, drafter.figures());
        }
        ReplayRun.Done done = new ReplayRun.Done(run, result, figures);
        listener.accept(done);
        return done;
    }

    /** Ctrl-C does not wait for runs. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "replay");
        thread.setDaemon(true);
        return thread;
    }
}
