package io.tailrace.worker.engine;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;

/** The first nodes of a draft, which are a tree too, since parents come before their children. Reused from step to step. */
final class VerifiedDraft implements Draft {
    private Draft draft;
    private int size;

    VerifiedDraft of(Draft whole, int nodes) {
        draft = whole;
        size = nodes;
        return this;
    }

    /** Sum of the nodes' probabilities: what may be expected to be accepted. */
    float expected() {
        float sum = 0;
        for (int node = 0; node < size; node++) {
            sum += draft.probability(node);
        }
        return sum;
    }

    /** Sum of the probabilities that a draft gives to next tokens. */
    static float expectedNext(Draft draft) {
        float sum = 0;
        for (int node = 0; node < draft.size(); node++) {
            sum += draft.parent(node) < 0 ? draft.probability(node) : 0;
        }
        return sum;
    }

    /** Whether a draft has this next token. */
    static boolean holdsNext(Draft draft, int token) {
        for (int node = 0; node < draft.size(); node++) {
            if (draft.parent(node) < 0 && draft.token(node) == token) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int node) {
        return draft.token(node);
    }

    @Override
    public int parent(int node) {
        return draft.parent(node);
    }

    @Override
    public float probability(int node) {
        return draft.probability(node);
    }

    @Override
    public SourceKind source(int node) {
        return draft.source(node);
    }

    @Override
    public int matchLength(int node) {
        return draft.matchLength(node);
    }
}
