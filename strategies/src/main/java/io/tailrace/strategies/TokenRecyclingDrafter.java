package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.CandidateDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.draft.TargetRows;

/**
 * {@code token-recycling}: Token Recycling (Luo et al., "Turning Trash into Treasure: Accelerating Inference of Large Language
 * Models with Token Recycling", arXiv 2408.08696).
 *
 * <p><b>Method.</b> A verification gives the model's likeliest tokens at every place it looks at, also behind rejected drafts.
 * An adjacency matrix keeps the k likeliest for each token, the latest in place of those before (section 3.1, 3.3). The draft
 * is a static tree filled breadth-first from the matrix: each node's children are its token's candidates (section 3.2). The
 * matrix outlives the request. There are no probabilities; a node says 2 to the minus its cost, see {@link TreeTemplate}.
 *
 * <p><b>Where a candidate is missing</b> its node and what hangs below are left out, and the next most promising nodes of the
 * tree take their place. The published tree has 80 nodes; a budget holds at most {@link DraftPolicy#BUDGET_MAX}.
 *
 * <p>It does not look into the shared lane. A verifier that knows no candidates must refuse it, unless its settings ask for
 * observed successors, a stand-in that is named so.
 *
 * <p>Nothing is allocated per draft; memory is the matrix, a lane's {@link TargetRows}.
 */
public final class TokenRecyclingDrafter implements CandidateDrafter {
    private static final int NONE = TreeTemplate.NONE;

    private final TokenRecycling.Settings settings;
    private final TargetRows rows;
    private final TreeTemplate template = TreeTemplate.published();
    private final int[] drafted = new int[template.size()];
    private final DraftTree tree = new DraftTree();
    private int last = NONE;

    public TokenRecyclingDrafter(TokenRecycling.Settings settings, TargetRows rows) {
        this.settings = settings;
        this.rows = rows;
    }

    @Override
    public void begin(int[] prompt, int length) {
        last = NONE;
        verified(prompt, length);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        DraftPolicy.requireBudget(budget);
        tree.clear();
        for (int node = 0; node < template.size() && tree.size() < budget; node++) {
            drafted[node] = draft(node);
        }
        return tree;
    }

    /** Drafts the candidate of a node, if it has one; returns its number in the draft, or -1. */
    private int draft(int node) {
        int rank = template.rank(node);
        int templateParent = template.parent(node);
        int parent = templateParent < 0 ? NONE : drafted[templateParent];
        if (last == NONE || rank >= settings.candidatesMax() || (templateParent >= 0 && parent == NONE)) {
            return NONE;
        }
        int token = rows.candidate(parent == NONE ? last : tree.token(parent), rank);
        if (token == NONE) {
            return NONE;
        }
        return tree.add(token, parent, Math.scalb(1f, -template.cost(node)), SourceKind.OWN.index(), 1);
    }

    @Override
    public boolean lacks(int token) {
        return !settings.observed() && rows.lacks(token);
    }

    @Override
    public void candidates(int token, int[] likeliest, int count) {
        if (!settings.observed()) {
            rows.tell(token, likeliest, count);
        }
    }

    @Override
    public void verified(int[] tokens, int length) {
        for (int i = 0; i < length; i++) {
            if (settings.observed() && last != NONE) {
                rows.observe(last, tokens[i]);
            }
            last = tokens[i];
        }
    }
}
