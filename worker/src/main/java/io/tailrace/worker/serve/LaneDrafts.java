package io.tailrace.worker.serve;

import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.CandidateDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.engine.NoDrafts;
import io.tailrace.worker.serve.LaneMakers.LaneMaker;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Drafts from a lane's live snapshot with some {@link Drafter}. The snapshot is leased anew for every step, from the draft until
 * the drafter has learned what became of it, so that snapshots may be swapped under running requests. A lane's drafters learn
 * together; one that has served a request serves the next ({@link LaneMakers}).
 *
 * <p>A snapshot whose file turns out to be damaged on this disk costs a lane the fleet's drafts, never a request its answer.
 */
final class LaneDrafts implements DraftSource {
    private final String strategy;
    private final int candidatesWanted;
    private final Function<String, LiveSnapshot> snapshots;
    private final LaneMakers makers;

    /**
     * Drafts of one strategy.
     *
     * @param candidatesWanted how many of the target's likeliest tokens its drafters want to know; 0: none
     * @param snapshots a scope's live snapshot
     * @param makers where drafters come from
     */
    LaneDrafts(String strategy, int candidatesWanted, Function<String, LiveSnapshot> snapshots, LaneMakers makers) {
        this.strategy = strategy;
        this.candidatesWanted = candidatesWanted;
        this.snapshots = snapshots;
        this.makers = makers;
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public int candidatesWanted() {
        return candidatesWanted;
    }

    @Override
    public LaneDrafting begin(String scope, int[] prompt) {
        LiveSnapshot live = snapshots.apply(scope);
        return new LaneDrafting(live.followed() ? makers.of(scope) : makers.passing(), live, prompt);
    }

    /**
     * One request's drafts. It has a drafter from its first draft on: a request that never drafts, as where the lane's policy is off,
     * costs no index of its own context, no lease and no search.
     */
    static final class LaneDrafting implements Drafting {
        private final LaneMaker maker;
        private final LiveSnapshot live;
        /** What was said before there was a drafter. */
        private int[] context;

        private int length;
        private DraftPolicy policy;
        private Drafter drafter;
        private LoadedSnapshot leased;
        private long version;

        private LaneDrafting(LaneMaker maker, LiveSnapshot live, int[] prompt) {
            this.maker = maker;
            this.live = live;
            this.context = prompt;
            this.length = prompt.length;
        }

        @Override
        public boolean patient() {
            return true;
        }

        @Override
        public Draft draft(int budget) {
            return draft(budget, 0);
        }

        @Override
        public Draft draft(int budget, float probabilityMin) {
            release();
            if (budget == 0) {
                return NoDrafts.EMPTY;
            }
            leased = live.lease();
            version = leased.version();
            DraftPolicy now = leased.policy();
            int most = now.enabled() ? Math.min(budget, now.budgetMax()) : 0;
            if (most == 0) {
                return NoDrafts.EMPTY;
            }
            try {
                return drafter().draft(maker.index(leased), most, probabilityMin);
            } catch (UncheckedIOException e) {
                maker.damaged(leased, e);
                return drafter().draft(maker.index(leased), most, probabilityMin);
            }
        }

        @Override
        public void verified(int[] tokens, int count) {
            if (drafter == null) {
                keep(tokens, count);
            } else {
                drafter.verified(tokens, count);
            }
            release();
        }

        private void keep(int[] tokens, int count) {
            if (length + count > context.length) {
                context = Arrays.copyOf(context, 2 * length + count);
            }
            System.arraycopy(tokens, 0, context, length, count);
            length += count;
        }

        @Override
        public boolean lacks(int token) {
            return drafter instanceof CandidateDrafter told && told.lacks(token);
        }

        @Override
        public void candidates(int token, int[] candidates) {
            if (drafter instanceof CandidateDrafter told) {
                told.candidates(token, candidates, candidates.length);
            }
        }

        @Override
        public void learned(DecodeTally tally) {
            if (drafter instanceof AdaptiveDrafter adaptive) {
                tally.learned(adaptive.logLoss(), adaptive.predictions());
            }
        }

        @Override
        public long snapshotVersion() {
            return version;
        }

        @Override
        public void close() {
            release();
            if (drafter != null) {
                maker.giveBack(drafter, policy);
            }
        }

        /** The request's drafter, which knows all that was said. */
        private Drafter drafter() {
            if (drafter == null) {
                LoadedSnapshot snapshot = live.lease();
                try {
                    policy = snapshot.policy();
                    drafter = maker.take(snapshot);
                } finally {
                    snapshot.release();
                }
                drafter.begin(context, length);
                context = null;
            }
            return drafter;
        }

        private void release() {
            if (leased != null) {
                leased.release();
                leased = null;
            }
        }
    }
}
