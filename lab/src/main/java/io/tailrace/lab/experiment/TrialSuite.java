package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayResult;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplaySuite;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Does the trials that the store does not know yet, and keeps what they give. */
public final class TrialSuite {
    private final List<Trial> trials;
    private final IdentityHashMap<Trial, ReplayResult> results = new IdentityHashMap<>();
    private final IdentityHashMap<ReplayRun, Trial> trialOf = new IdentityHashMap<>();
    private final ReplaySuite missing;

    public TrialSuite(List<Trial> trials, TrialStore store) {
        this.trials = List.copyOf(trials);
        List<ReplayRun> runs = new ArrayList<>();
        for (Trial trial : this.trials) {
            store.find(trial).ifPresentOrElse(result -> results.put(trial, result), () -> {
                trialOf.put(trial.run(), trial);
                runs.add(trial.run());
            });
        }
        this.missing = new ReplaySuite(runs, done -> store.keep(trialOf.get(done.run()), done.result()));
    }

    /** Response tokens that remain to be decoded. */
    public long tokens() {
        return missing.tokens();
    }

    /** Those decoded so far; may be asked from any thread. */
    public long tokensDone() {
        return missing.tokensDone();
    }

    /** Trials that were done before. */
    public int found() {
        return trials.size() - trialOf.size();
    }

    /** Every trial with its result, in their order. */
    public List<Finished> run(int threads) throws InterruptedException {
        for (ReplayRun.Done done : missing.run(threads)) {
            results.put(trialOf.get(done.run()), done.result());
        }
        return trials.stream()
                .map(trial -> new Finished(trial, results.get(trial)))
                .toList();
    }
}
