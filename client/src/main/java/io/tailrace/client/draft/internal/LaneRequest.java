package io.tailrace.client.draft.internal;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.EarlyDrafts;
import io.tailrace.client.draft.internal.LaneMakers.LaneMaker;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.MappedReads;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * One request's drafts from its lane. It has a drafter once one was prepared or wanted: a request that never drafts, as where the lane's policy is
 * off, costs no index of its own context, no lease and no search. What is said in steps without a draft is kept, and told the drafter, all
 * at once, when the next draft is wanted or prepared. Where the process has {@linkplain ContextRoom no room} for its context it never gets a drafter.
 */
public final class LaneRequest implements EarlyDrafts {
    private static final int[] NOTHING_SAID = {};

    private final LaneMaker maker;
    private final LiveSnapshot live;
    /** Not written to; null once there is a drafter, or can be none. */
    private int[] prompt;
    /** What the drafter has not been told. */
    private int[] said = NOTHING_SAID;

    private int saidCount;
    private DraftPolicy policy;
    /** With its room; null where there is no drafter. */
    private HousedDrafter housed;

    private Drafter drafter;
    /** Whether it runs without drafts: there was no room for its context. */
    private boolean crowded;
    /** Whether the drafter drafts in the step in hand. */
    private boolean drafted;

    private LoadedSnapshot leased;
    private long version;

    LaneRequest(LaneMaker maker, LiveSnapshot live, int[] prompt) {
        this.maker = maker;
        this.live = live;
        this.prompt = prompt;
    }

    /** The request's drafter; null before its first draft. */
    public Drafter drafter() {
        return drafter;
    }

    /**
     * A draft from the snapshot that is live now, which is leased until {@link #verified}. If a file of it is found damaged, truncated or
     * unreadable, a draft without it.
     */
    Draft draft(int budget, float probabilityMin) {
        leased = live.lease();
        version = leased.version();
        DraftPolicy now = leased.policy();
        int most = now.enabled() ? Math.min(budget, now.budgetMax()) : 0;
        if (most == 0 || !tellWhatWasSaid(leased)) {
            return NoDrafts.EMPTY;
        }
        drafted = true;
        try {
            Draft draft = drafter.draft(leased.index(), most, probabilityMin);
            MappedReads.await();
            requireKnownTokens(draft);
            return draft;
        } catch (UncheckedIOException | InternalError e) {
            live.damaged(leased, e);
            return drafter.draft(leased.withoutSegments().index(), most, probabilityMin);
        }
    }

    /** No model takes a token that its vocabulary has not. */
    private void requireKnownTokens(Draft draft) {
        if (!draft.isWithin(leased.index().vocabularySize())) {
            throw new UncheckedIOException(
                    new CorruptSegmentException("a segment has tokens outside the lane's vocabulary"));
        }
    }

    /** Leases the snapshot for itself: that of a step under way stays with the step. */
    @Override
    public void prepare() {
        LoadedSnapshot now = live.lease();
        try {
            if (now.policy().enabled() && now.policy().budgetMax() > 0 && tellWhatWasSaid(now)) {
                drafter.prepare(now.index());
                MappedReads.await();
            }
        } catch (UncheckedIOException | InternalError e) {
            live.damaged(now, e);
        } finally {
            now.release();
        }
    }

    @Override
    public void said(int[] tokens, int count) {
        keep(tokens, count);
    }

    void verified(int[] tokens, int count) {
        if (drafted) {
            drafter.verified(tokens, count);
            housed.grow(count);
            drafted = false;
        } else {
            keep(tokens, count);
        }
        release();
    }

    /** As {@link #verified}; what the step teaches waits for {@link #learn}. */
    void emitted(int[] tokens, int count) {
        if (drafted) {
            drafter.emitted(tokens, count);
            housed.grow(count);
            drafted = false;
        } else {
            keep(tokens, count);
        }
        release();
    }

    void learn() {
        if (drafter != null) {
            drafter.learn();
        }
    }

    @Override
    public DraftLearning learned() {
        return drafter instanceof AdaptiveDrafter adaptive
                ? new DraftLearning(adaptive.logLoss(), adaptive.predictions())
                : DraftLearning.NONE;
    }

    @Override
    public long snapshotVersion() {
        return version;
    }

    @Override
    public void close() {
        release();
        if (drafter != null) {
            maker.giveBack(housed, policy);
            housed = null;
            drafter = null;
            drafted = false;
        }
    }

    /** Whether there is a drafter, which then knows all. */
    private boolean tellWhatWasSaid(LoadedSnapshot now) {
        if (drafter == null) {
            beginDrafter(now);
        }
        if (saidCount > 0) {
            drafter.verified(said, saidCount);
            housed.grow(saidCount);
        }
        saidCount = 0;
        return drafter != null;
    }

    private void beginDrafter(LoadedSnapshot now) {
        housed = crowded ? null : maker.take(now, prompt.length);
        if (housed == null) {
            crowded = true;
            prompt = null;
            said = NOTHING_SAID;
            saidCount = 0;
            return;
        }
        policy = now.policy();
        drafter = housed.drafter();
        housed.begin(prompt);
        prompt = null;
    }

    private void keep(int[] tokens, int count) {
        if (crowded) {
            return;
        }
        if (saidCount + count > said.length) {
            said = Arrays.copyOf(said, Math.max(16, 2 * saidCount + count));
        }
        System.arraycopy(tokens, 0, said, saidCount, count);
        saidCount += count;
    }

    private void release() {
        if (leased != null) {
            leased.release();
            leased = null;
        }
    }
}
