package io.tailrace.lab.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayResult;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplaySuite;
import io.tailrace.lab.replay.ReplayTally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finished trials in a file, one JSON object a line, appended as they finish. A trial is found again if everything that
 * decides its figures is the same: the commit, the stream's requests, strategy, weights, budget, protocol. Draft times and
 * reliability are not kept. Without a commit, or with changes beside it, nothing is found again.
 */
public final class TrialStore {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final String commit;
    private final Map<String, Line> known = new HashMap<>();

    /** What a line holds. */
    record Line(
            String commit,
            String trial,
            Map<String, Tally> byWorkload,
            Map<String, Tally> withoutRepeats,
            int[] requestSteps,
            int[] requestTokens) {}

    /** A tally as it is written. */
    record Tally(long requests, long tokens, long accepted, long[] stepsByDrafted) {
        static Tally of(ReplayTally tally) {
            return new Tally(tally.requests(), tally.tokens(), tally.accepted(), tally.stepsByDrafted());
        }

        ReplayTally restored() {
            return ReplayTally.restored(requests, tokens, accepted, stepsByDrafted);
        }
    }

    private TrialStore(Path file, String commit) {
        this.file = file;
        this.commit = commit;
    }

    /** Opens a store; the file need not be there. Null: nothing is kept. */
    public static TrialStore open(Path file, String commit) throws IOException {
        TrialStore store = new TrialStore(file, commit);
        if (file != null && Files.exists(file)) {
            for (String text : Files.readAllLines(file)) {
                store.read(text);
            }
        }
        return store;
    }

    private void read(String text) throws IOException {
        if (!text.endsWith("}")) {
            return; // broken off while it was written
        }
        Line line = JSON.readValue(text, Line.class);
        if (line.commit().equals(commit) && isFixed()) {
            known.put(line.trial(), line);
        }
    }

    private boolean isFixed() {
        return !commit.endsWith("-dirty") && !commit.equals("unknown");
    }

    /** What the trial gave, if it was done before. */
    public Optional<ReplayResult> find(Trial trial) {
        Line line = known.get(keyOf(trial));
        return line == null
                ? Optional.empty()
                : Optional.of(new ReplayResult(
                        restored(line.byWorkload()),
                        restored(line.withoutRepeats()),
                        line.requestSteps(),
                        line.requestTokens()));
    }

    /** Keeps a result. */
    public synchronized void keep(Trial trial, ReplayResult result) {
        if (file == null) {
            return;
        }
        Line line = new Line(
                commit,
                keyOf(trial),
                written(result.byWorkload()),
                written(result.withoutRepeats()),
                result.requestSteps(),
                result.requestTokens());
        try {
            Files.writeString(
                    file,
                    JSON.writeValueAsString(line) + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, ReplayTally> restored(Map<String, Tally> tallies) {
        Map<String, ReplayTally> restored = new TreeMap<>();
        tallies.forEach((workload, tally) -> restored.put(workload, tally.restored()));
        return restored;
    }

    private static Map<String, Tally> written(Map<String, ReplayTally> tallies) {
        Map<String, Tally> written = new TreeMap<>();
        tallies.forEach((workload, tally) -> written.put(workload, Tally.of(tally)));
        return written;
    }

    private static String keyOf(Trial trial) {
        return Trial.Key.of(trial);
    }

    /** Does the trials that the store does not know yet, and keeps what they give. */
    public static final class Suite {
        private final List<Trial> trials;
        private final IdentityHashMap<Trial, ReplayResult> results = new IdentityHashMap<>();
        private final IdentityHashMap<ReplayRun, Trial> trialOf = new IdentityHashMap<>();
        private final ReplaySuite missing;

        public Suite(List<Trial> trials, TrialStore store) {
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
}
