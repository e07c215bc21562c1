package io.tailrace.worker.draftmodel;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.speculation.SpeculationCache;
import java.util.Arrays;

/** One request's lines. The source's other parts grow them, on one thread at a time. */
final class ModelDrafting implements RequestDrafts {
    private final ModelDrafts source;
    private final TargetModel model;
    private final ModelSequence sequence;
    private final ModelDrafts.Options options;
    private final SpeculationCache<LineDraft> cache;
    private final LineDraft line = new LineDraft();
    private int[] context;
    private int length;
    /** Tokens of the context in the model's cache; what lies behind them there was drafted. */
    private int known;

    private int wanted;
    /** Nodes of the line that are being verified. */
    private int verifying;
    /** A line for what was said last, prepared while it was verified; or null. */
    private LineDraft prepared;

    private boolean lineWasPrepared;
    /** A target may have rows, without names, that its draft model has not; behind such a token it drafts no more. */
    private boolean readable = true;

    ModelDrafting(ModelDrafts source, TargetModel model, int[] prompt, ModelDrafts.Options options) {
        this.source = source;
        this.model = model;
        this.sequence = model.open();
        this.options = options;
        this.cache = new SpeculationCache<>(Math.max(1, options.forksMax()));
        this.context = prompt.clone();
        this.length = prompt.length;
        look(prompt, prompt.length);
    }

    private void look(int[] tokens, int count) {
        for (int i = 0; i < count; i++) {
            readable &= tokens[i] < model.vocabularySize();
        }
    }

    /** A step begins that wants so many tokens at most. */
    void plan(int budget) {
        int room = model.sequenceTokensMax() - length;
        wanted = readable ? Math.max(0, Math.min(Math.min(budget, options.tokensMax()), room)) : 0;
        forgetRejected();
        line.clear();
    }

    int wanted() {
        return wanted;
    }

    /** The prepared line becomes the draft; false: there is none. */
    boolean takePrepared() {
        LineDraft ready = prepared;
        prepared = null;
        lineWasPrepared = ready != null && ready.size() > 0;
        if (ready == null || ready.size() == 0) {
            return false;
        }
        line.copy(ready, wanted);
        return true;
    }

    /** So many tokens of the line are being verified. */
    void verifying(int nodes) {
        verifying = nodes;
    }

    void verified(int[] tokens, int count) {
        if (length + count > context.length) {
            context = Arrays.copyOf(context, Math.max(length + count, 2 * context.length));
        }
        System.arraycopy(tokens, 0, context, length, count);
        length += count;
        look(tokens, count);
        prepared = null;
        if (verifying > 0) {
            source.verified(lineWasPrepared, count);
            prepared = ending(count - 2, tokens[count - 1]);
            verifying = 0;
        } else {
            prepared = null;
        }
    }

    /** What was prepared for a verification that ended so. */
    private LineDraft ending(int lastAccepted, int ownToken) {
        if (cache.size() == 0) {
            return null;
        }
        LineDraft ready = cache.take(lastAccepted, ownToken, 0);
        source.ended(ready != null);
        return ready;
    }

    // What the source's other parts see of it.

    ModelSequence sequence() {
        return sequence;
    }

    LineDraft line() {
        return line;
    }

    int verifyingNodes() {
        return verifying;
    }

    SpeculationCache<LineDraft> cache() {
        return cache;
    }

    int length() {
        return length;
    }

    int unreadTokens() {
        return length - known;
    }

    /** Tokens of the context that the model has not read, at most so many. */
    int[] unread(int most) {
        return Arrays.copyOfRange(context, known, known + Math.min(most, length - known));
    }

    void read(int tokens) {
        known += tokens;
    }

    boolean knowsContext() {
        return known == length;
    }

    /** Keeps of the last line, as far as the model has read it, what the target has said since. */
    private void forgetRejected() {
        int passed = sequence.length() - known;
        int said = 0;
        while (said < passed && known + said < length && line.token(said) == context[known + said]) {
            said++;
        }
        sequence.truncate(known + said);
        known += said;
    }

    /** Keeps of the context no more than leaves a token to pass, so that its row can be had again. */
    void leaveOneUnread() {
        known = Math.min(known, length - 1);
        sequence.truncate(known);
    }

    @Override
    public long snapshotVersion() {
        return 0;
    }

    @Override
    public DraftLearning learned() {
        return DraftLearning.NONE;
    }

    @Override
    public void close() {
        sequence.close();
    }
}
