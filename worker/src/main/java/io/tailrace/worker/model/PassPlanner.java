package io.tailrace.worker.model;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Checks a batch, takes cache rows for it, and plans its pass. Nothing is taken for a batch that is refused. One thread. */
public final class PassPlanner {
    private final CacheRows cache;
    private final int vocabularySize;
    private final int contextTokensMax;
    private final long paddingCellsMax;

    /**
     * A planner of one cache.
     *
     * @param paddingCellsMax query-key pairs that cost as much as computing attention for one more group
     */
    public PassPlanner(CacheRows cache, int vocabularySize, int contextTokensMax, long paddingCellsMax) {
        this.cache = cache;
        this.vocabularySize = vocabularySize;
        this.contextTokensMax = contextTokensMax;
        this.paddingCellsMax = paddingCellsMax;
    }

    /** Plans one pass; see {@link io.tailrace.worker.model.TargetModel#forward} for what it refuses. */
    public PassPlan plan(List<TreeInput> batch) {
        require(!batch.isEmpty(), "a pass needs at least one input");
        requireOwnSequences(batch);
        int wanted = 0;
        for (TreeInput input : batch) {
            ((CachedSequence) input.sequence()).dropPending();
            requireFits(input);
            wanted += input.size();
        }
        if (wanted > cache.free()) {
            throw new TargetModel.CacheFullException(wanted, cache.free(), cache.rowsMax());
        }
        for (TreeInput input : batch) {
            ((CachedSequence) input.sequence()).append(input);
        }
        return PassPlan.of(batch, paddingCellsMax);
    }

    private void requireOwnSequences(List<TreeInput> batch) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (TreeInput input : batch) {
            require(
                    input.sequence() instanceof CachedSequence sequence && sequence.belongsTo(cache),
                    "a sequence is closed or of another model");
            require(seen.add(input.sequence()), "a sequence is twice in the batch");
        }
    }

    private void requireFits(TreeInput input) {
        int grown = input.sequence().length() + input.size();
        require(
                grown <= contextTokensMax,
                "the sequence would grow to %d tokens, contextTokensMax is %d".formatted(grown, contextTokensMax));
        for (int token : input.tokens()) {
            require(
                    token >= 0 && token < vocabularySize,
                    "token ids must be 0 to %d, got %d".formatted(vocabularySize - 1, token));
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
