package io.tailrace.suffix.draft.strategy;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.Arrays;

/**
 * {@code prompt-lookup}: Prompt Lookup Decoding (Saxena, "Prompt Lookup Decoding", 2023; function
 * find_candidate_pred_tokens).
 *
 * <p>The last n tokens of the context, first n = 3, then 2, then 1, are looked for in prompt and output so far. The tokens
 * behind the earliest place that has enough of them, {@code min(budget, drafted tokens)}, are drafted as one path. The method
 * has no probabilities: every node says 1. It does not look into the shared lane and learns nothing.
 *
 * <p>Where the published function asks for a place with the full number of following tokens and otherwise gives nothing for
 * that n, this does the same. Published settings: n up to 3, 10 tokens.
 *
 * <p>Cost: one pass over the context for each n tried.
 */
public final class PromptLookupDrafter implements Drafter {
    public static final int NGRAM_MAX_PUBLISHED = 3;
    public static final int DRAFT_TOKENS_PUBLISHED = 10;

    private final int ngramMax;
    private final int draftTokens;
    private final DraftTree tree = new DraftTree();
    private int[] context = new int[1024];
    private int length;

    /** With the published settings. */
    public PromptLookupDrafter() {
        this(NGRAM_MAX_PUBLISHED, DRAFT_TOKENS_PUBLISHED);
    }

    /**
     * With own settings.
     *
     * @param ngramMax longest n to look for, at least 1
     * @param draftTokens length of a draft where the budget allows it, 1 to {@link DraftPolicy#BUDGET_MAX}
     */
    public PromptLookupDrafter(int ngramMax, int draftTokens) {
        if (ngramMax < 1 || draftTokens < 1 || draftTokens > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException("ngramMax must be >= 1 and draftTokens in [1, " + DraftPolicy.BUDGET_MAX
                    + "], got " + ngramMax + " and " + draftTokens);
        }
        this.ngramMax = ngramMax;
        this.draftTokens = draftTokens;
    }

    @Override
    public void begin(int[] prompt, int promptLength) {
        length = 0;
        verified(prompt, promptLength);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        tree.clear();
        int wanted = Math.min(budget, draftTokens);
        for (int n = Math.min(ngramMax, length); n > 0 && wanted > 0; n--) {
            int place = earliest(n, wanted);
            if (place >= 0) {
                copy(place, wanted, n);
                return tree;
            }
        }
        return tree;
    }

    @Override
    public void verified(int[] tokens, int count) {
        if (length + count > context.length) {
            context = Arrays.copyOf(context, Math.max(length + count, 2 * context.length));
        }
        System.arraycopy(tokens, 0, context, length, count);
        length += count;
    }

    /** Where the continuation of the earliest place of the last n tokens begins that has {@code wanted} tokens, or -1. */
    private int earliest(int n, int wanted) {
        for (int start = 0; start + n + wanted <= length; start++) {
            if (Arrays.equals(context, start, start + n, context, length - n, length)) {
                return start + n;
            }
        }
        return -1;
    }

    private void copy(int place, int wanted, int n) {
        for (int i = 0; i < wanted; i++) {
            tree.add(context[place + i], i - 1, 1, SourceKind.OWN.index(), n);
        }
    }
}
