package io.tailrace.lab.experiment;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayProtocol.Counting;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What does a sudden shift of the traffic cost, and for how long? A stream changes its workload once. The requests at the end
 * of the new traffic are held back: an index built from their responses beforehand is what an operator who knew of the shift
 * could have had (SuffixDecoding, section 5.4, figure 9).
 */
public final class ShiftTrials {
    /** Workers of the fleet that the lagging variant stands for. */
    private static final int WORKERS = 4;
    /** Requests that finish while an answer travels through the loop: 5 s at 10 requests a second. */
    private static final int LAG_REQUESTS = 50;

    private static final int BEFORE = 500;
    private static final int[] WINDOWS = {0, 50, 150, 250, 500, 1000, 2000};
    private static final String NO_LAG = "4 workers, no lag";
    private static final String LAGGING = "4 workers, " + LAG_REQUESTS + " requests of lag";

    private final ReplayStream stream;
    private final List<RememberedAnswer> heldBack;
    private final int shiftAt;

    private ShiftTrials(ReplayStream stream, List<RememberedAnswer> heldBack, int shiftAt) {
        this.stream = stream;
        this.heldBack = heldBack;
        this.shiftAt = shiftAt;
    }

    /**
     * Finds the shift: where the workload changes.
     *
     * @param before most requests to replay before it
     * @param after most requests to replay after it; never of the later half, which is held back
     *
     * @throws IllegalArgumentException if it does not change exactly once
     */
    public static ShiftTrials of(ReplayStream whole, int before, int after) {
        List<ReplayCase> cases = whole.cases();
        int shift = 1;
        while (shift < cases.size() && sameWorkload(cases, shift)) {
            shift++;
        }
        for (int i = shift + 1; i < cases.size(); i++) {
            if (!sameWorkload(cases, i)) {
                throw new IllegalArgumentException(
                        "the order must change its workload once; it changes again at request " + (i + 1) + ", to "
                                + cases.get(i).workload());
            }
        }
        if (shift == cases.size()) {
            throw new IllegalArgumentException("the order must change its workload once; all is "
                    + cases.get(0).workload());
        }
        int from = Math.max(0, shift - before);
        int half = shift + (cases.size() - shift) / 2;
        return new ShiftTrials(
                new ReplayStream(whole.name(), cases.subList(from, Math.min(half, shift + after))),
                Trials.answers(cases.subList(half, cases.size())),
                shift - from);
    }

    private static boolean sameWorkload(List<ReplayCase> cases, int i) {
        return cases.get(i).workload().equals(cases.get(i - 1).workload());
    }

    /** The same requests under each variant. */
    public List<Trial> trials(float[] weights, List<StrategyChoice> strategies, List<Integer> budgets) {
        ReplayProtocol online = ReplayProtocol.online().counting(Counting.ALL);
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            for (int budget : budgets) {
                add(trials, "own context only", online.from(ReplayProtocol.Sources.OWN), strategy, weights, budget);
                add(trials, "one worker", online, strategy, weights, budget);
                add(trials, NO_LAG, online.dealt(WORKERS, Sharing.SHARED), strategy, weights, budget);
                ReplayProtocol late = online.dealt(WORKERS, Sharing.SHARED).delayed(1, LAG_REQUESTS);
                add(trials, LAGGING, late, strategy, weights, budget);
                ReplayProtocol offline = online.delayed(Integer.MAX_VALUE, 0).warmed(heldBack);
                add(trials, "index built beforehand, never updated", offline, strategy, weights, budget);
                add(trials, "index built beforehand, updated", online.warmed(heldBack), strategy, weights, budget);
            }
        }
        return trials;
    }

    private void add(
            List<Trial> trials,
            String variant,
            ReplayProtocol protocol,
            StrategyChoice strategy,
            float[] weights,
            int budget) {
        trials.add(new Trial(variant, new ReplayRun(stream, strategy, weights, budget, protocol)));
    }

    /** Tokens a step by requests since the shift. */
    public List<ResultPage.Table> tables(List<Finished> finished) {
        int before = Math.min(shiftAt, BEFORE);
        List<String> heads = new ArrayList<>(List.of("variant", "last %d before".formatted(before)));
        int after = stream.cases().size() - shiftAt;
        List<int[]> windows = new ArrayList<>();
        for (int i = 0; i + 1 < WINDOWS.length && WINDOWS[i] < after; i++) {
            int to = Math.min(WINDOWS[i + 1], after);
            windows.add(new int[] {shiftAt + WINDOWS[i], shiftAt + to});
            heads.add("%d to %d after".formatted(WINDOWS[i] + 1, to));
        }
        List<ResultPage.Table> tables = new ArrayList<>();
        finished.stream()
                .map(one -> one.trial().run().strategy().text() + ", budget "
                        + one.trial().run().budget())
                .distinct()
                .forEach(group -> tables.add(new ResultPage.Table(
                        group + ": tokens/step, %d held-back responses beforehand".formatted(heldBack.size()),
                        heads,
                        rows(finished, group, windows))));
        return tables;
    }

    private List<List<String>> rows(List<Finished> finished, String group, List<int[]> windows) {
        List<List<String>> rows = new ArrayList<>();
        for (Finished one : finished) {
            ReplayRun run = one.trial().run();
            if (group.equals(run.strategy().text() + ", budget " + run.budget())) {
                List<String> row = new ArrayList<>();
                row.add(one.trial().variant());
                row.add(figure(one.result().tokensPerStep(Math.max(0, shiftAt - BEFORE), shiftAt)));
                windows.forEach(window -> row.add(figure(one.result().tokensPerStep(window[0], window[1]))));
                rows.add(row);
            }
        }
        return rows;
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
