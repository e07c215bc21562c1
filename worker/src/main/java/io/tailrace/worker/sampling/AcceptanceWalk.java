package io.tailrace.worker.sampling;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;

/**
 * Which path of a draft a model agrees with: choose one token at the context's end as decoding without drafts would; if a child
 * carries it, go there and choose again; else emit it and stop. Since the choice never looks at the draft, the output is that of
 * plain decoding whatever was drafted (for drafts without probabilities this is the rule of speculative sampling with a point
 * mass: Leviathan et al. 2023, SpecInfer's tree form).
 */
public final class AcceptanceWalk {
    /** The context's end, as a place of the walk. */
    public static final int ROOT = -1;

    private AcceptanceWalk() {}

    /** Chooses the token that follows a place of the tree. */
    public interface Choice {
        /**
         * The next token.
         *
         * @param node a draft node, or {@link #ROOT}
         * @param ahead accepted draft tokens before it
         */
        int after(int node, int ahead);
    }

    /** Takes the emitted tokens, one after the other. */
    public interface Emission {
        /** Emits a token; true if the request ends with it. */
        boolean ends(int token);
    }

    /** Walks; writes accepted nodes, tokens and whether the request has ended into the verdict, which is cleared before. */
    public static void walk(Draft draft, Choice choice, Emission emission, Verdict into) {
        into.clear();
        int at = ROOT;
        while (true) {
            int token = choice.after(at, into.accepted());
            boolean ends = emission.ends(token);
            int child = child(draft, at, token);
            if (child < 0) {
                into.bonus(token);
            } else {
                into.accept(child, token);
            }
            if (ends) {
                into.finish();
            }
            if (ends || child < 0) {
                return;
            }
            at = child;
        }
    }

    /** Children come after their parents. */
    private static int child(Draft draft, int parent, int token) {
        for (int node = parent + 1; node < draft.size(); node++) {
            if (draft.parent(node) == parent && draft.token(node) == token) {
                return node;
            }
        }
        return ROOT;
    }
}
