package io.tailrace.lab.replay;

import io.tailrace.lab.replay.SimulatedSpeculation.Choice;
import io.tailrace.lab.replay.SimulatedSpeculation.Figures;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.worker.speculation.FanOut;
import io.tailrace.worker.speculation.Forks;
import java.util.ArrayList;
import java.util.List;

/**
 * Drafts as another drafter does, and beside it simulates a speculation cache on the same trace. The likely endings of a
 * verification are what a wider draft of the same context holds beyond the draft; the true ending is what {@link #verified}
 * tells. A step is looked up when the next draft is asked for, so that a request's last step, behind which nothing is
 * drafted, does not count.
 */
final class SpeculatingDrafter implements Drafter {
    /** How fast misses get rarer with more tokens prepared at a place; a power law's exponent that is near 1 in text. */
    private static final double EXPONENT = 1;

    private static final int NONE = -2;

    private final Drafter drafter;
    private final SimulatedSpeculation speculation;
    private final List<Figures> blank = new ArrayList<>();
    private final List<OverlapSimulation> simulations = new ArrayList<>();
    private final DraftTree wider = new DraftTree();
    private final Forks all = new Forks(DraftPolicy.BUDGET_MAX);
    private final Forks likeliest;
    private final Forks geometric;
    private final AcceptedPath path = new AcceptedPath();
    private Draft draft;
    private boolean first;
    private int endedAt;
    private int ownToken;

    SpeculatingDrafter(Drafter drafter, SimulatedSpeculation speculation) {
        this.drafter = drafter;
        this.speculation = speculation;
        for (SimulatedSpeculation.Source source : speculation.sources()) {
            for (Choice choice : Choice.values()) {
                OverlapSimulation simulation = new OverlapSimulation(
                        speculation.entriesMax(), source.preparers(), speculation.stepMicros() * 1000);
                simulations.add(simulation);
                blank.add(new Figures(source, choice, simulation.outcome()));
            }
        }
        likeliest = new Forks(speculation.entriesMax());
        geometric = new Forks(speculation.entriesMax());
    }

    @Override
    public void begin(int[] prompt, int length) {
        drafter.begin(prompt, length);
        draft = null;
        first = true;
        endedAt = NONE;
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        lookUp();
        copy(drafter.draft(index, DraftPolicy.BUDGET_MAX));
        draft = drafter.draft(index, budget);
        all.clear();
        all.addBeyond(draft, wider);
        FanOut.bestFirst(all, speculation.entriesMax(), likeliest);
        FanOut.geometric(draft, all, EXPONENT, speculation.entriesMax(), geometric);
        return draft;
    }

    @Override
    public void verified(int[] tokens, int length) {
        if (draft != null) {
            end(tokens, length);
        }
        drafter.verified(tokens, length);
    }

    /** Follows the accepted path; without a token of the model's own there is nothing to look up. */
    private void end(int[] tokens, int length) {
        path.walk(draft, (node, depth) -> depth < length ? tokens[depth] : AcceptedPath.NONE);
        ownToken = path.bonusToken();
        endedAt = ownToken == AcceptedPath.NONE ? NONE : path.end();
    }

    /** A draft is asked for: was it prepared? */
    private void lookUp() {
        for (int i = 0; i < simulations.size(); i++) {
            long nanos = blank.get(i).source().draftMicros() * 1000;
            if (first) {
                simulations.get(i).begin(nanos);
            } else if (endedAt != NONE) {
                Forks prepared = blank.get(i).choice() == Choice.BEST_FIRST ? likeliest : geometric;
                simulations.get(i).step(prepared, endedAt, ownToken, nanos);
            }
        }
        first = false;
    }

    private void copy(Draft wide) {
        wider.clear();
        for (int node = 0; node < wide.size(); node++) {
            wider.add(
                    wide.token(node),
                    wide.parent(node),
                    wide.probability(node),
                    wide.source(node) == null
                            ? DraftTree.NO_SOURCE
                            : wide.source(node).index(),
                    wide.matchLength(node));
        }
    }

    /** What came out so far. */
    List<Figures> figures() {
        List<Figures> figures = new ArrayList<>();
        for (int i = 0; i < simulations.size(); i++) {
            figures.add(new Figures(
                    blank.get(i).source(),
                    blank.get(i).choice(),
                    simulations.get(i).outcome()));
        }
        return figures;
    }
}
