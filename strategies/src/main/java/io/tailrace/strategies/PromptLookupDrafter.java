package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Arrays;

/**
 * {@code prompt-lookup}: Prompt Lookup Decoding (Saxena, "Prompt Lookup Decoding", 2023; function
 * find_candidate_pred_tokens).
 *
 * <p>The last n tokens of the context, first n = 3, then 2, then 1, are looked for in prompt and output so far. The tokens
 * behind the earliest place are drafted as one path. A place counts only if as many tokens follow it as shall be drafted,
 * {@code min(budget, drafted tokens)}, and if they begin before the n-gram that is looked for; otherwise the next place is
 * tried, then the next n. The method has no probabilities: every node says 1. It does not look into the shared lane and learns
 * nothing.
 *
 * <p>The same method in the Transformers library takes the earliest place that is followed by anything and drafts what there
 * is: {@link PromptLookup.Settings#whole} false.
 *
 * <p>Cost: one pass over the context for each n tried.
 */
public final class PromptLookupDrafter implements Drafter {
    private final PromptLookup.Settings settings;
    private final DraftTree tree = new DraftTree();
    private int[] context = new int[1024];
    private int length;

    public PromptLookupDrafter(PromptLookup.Settings settings) {
        this.settings = settings;
    }

    @Override
    public void begin(int[] prompt, int promptLength) {
        length = 0;
        verified(prompt, promptLength);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        tree.clear();
        int wanted = Math.min(budget, settings.draftTokens());
        for (int n = Math.min(settings.ngramMax(), length); n > 0 && wanted > 0; n--) {
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

    /** Where the continuation of the earliest place of the last n tokens begins that has enough tokens, or -1. */
    private int earliest(int n, int wanted) {
        int last = settings.whole() ? Math.min(length - wanted, length - n - 1) : length - 1;
        for (int place = n; place <= last; place++) {
            if (Arrays.equals(context, place - n, place, context, length - n, length)) {
                return place;
            }
        }
        return -1;
    }

    private void copy(int place, int wanted, int n) {
        for (int i = 0; i < wanted && place + i < length; i++) {
            tree.add(context[place + i], i - 1, 1, SourceKind.OWN.index(), n);
        }
    }
}
