package io.tailrace.worker.draftmodel;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.speculation.FanOut;
import io.tailrace.worker.speculation.Forks;
import java.util.Arrays;

/**
 * Drafts for the likeliest endings of one request's verification, grown as one tree. First comes a pass over what the model has not
 * read and the line in verification; its rows say, for each place of the line, which tokens the target may say there instead of the
 * drafted one. The likeliest of all these forks begin lines of their own, which all grow by a token in each further pass: of the
 * tree of line, forks and what has grown, since a tree's nodes share what lies before them.
 *
 * <pre>
 * context - line0 - line1 - line2          (in verification)
 *         \        \       \      \
 *          fork     fork    fork   fork    (the target's own token, if it accepts so far)
 *          |        |       |      |
 *          grown    grown   ...            (the draft prepared for that ending)
 * </pre>
 */
final class ForkTree {
    /** Tokens of a place beside the drafted one that are looked at. */
    private static final int PLACE_TOKENS = 8;

    private final ModelDrafting request;
    private final int[] line;
    private final float[] reached;
    private final Forks forks;
    private final LineDraft[] grown;
    private int[] unread;

    ForkTree(ModelDrafting request, int forksMax) {
        this.request = request;
        this.line = new int[request.verifyingNodes()];
        this.reached = new float[line.length + 1];
        reached[0] = 1;
        for (int node = 0; node < line.length; node++) {
            line[node] = request.line().token(node);
            reached[node + 1] = request.line().probability(node);
        }
        this.forks = new Forks(forksMax);
        this.grown = new LineDraft[forksMax];
    }

    /** Most tokens that its passes append at once, for so many forks of so many tokens. */
    static int tokensMax(ModelDrafting request, int forksMax, int tokensMax) {
        return request.unreadTokens() + 1 + request.verifyingNodes() + forksMax * tokensMax;
    }

    /** The first pass: rows of the context's end and of the line. */
    TreeInput places() {
        request.leaveOneUnread();
        unread = request.unread(Integer.MAX_VALUE);
        int[] tokens = Arrays.copyOf(unread, unread.length + line.length);
        System.arraycopy(line, 0, tokens, unread.length, line.length);
        return TreeInput.line(request.sequence(), tokens, unread.length - 1);
    }

    /** Chooses the forks from the first pass's rows. */
    void choose(Logits logits, int input, TokenRow row) {
        Forks all = new Forks(reached.length * PLACE_TOKENS);
        int[] top = new int[PLACE_TOKENS + 1];
        for (int place = 0; place < reached.length; place++) {
            row.read(logits, input, unread.length - 1 + place);
            int found = row.top(top);
            for (int i = 0; i < found; i++) {
                if (place == line.length || top[i] != line[place]) {
                    all.add(place - 1, top[i], reached[place] * row.probability(top[i]));
                }
            }
        }
        FanOut.bestFirst(all, grown.length, forks);
        for (int fork = 0; fork < forks.size(); fork++) {
            grown[fork] = new LineDraft();
        }
        commitUnread();
    }

    private void commitUnread() {
        int[] path = new int[unread.length];
        Arrays.setAll(path, node -> node);
        request.sequence().commit(path, path.length);
        request.read(unread.length);
    }

    /** The next pass: line, forks, and what has grown behind them; rows of the newest layer. */
    TreeInput layer() {
        int depth = forks.size() == 0 ? 0 : grown[0].size();
        int size = line.length + forks.size() * (depth + 1);
        int[] tokens = Arrays.copyOf(line, size);
        int[] parents = new int[size];
        for (int node = 0; node < line.length; node++) {
            parents[node] = node - 1;
        }
        for (int fork = 0; fork < forks.size(); fork++) {
            tokens[line.length + fork] = forks.token(fork);
            parents[line.length + fork] = forks.node(fork);
            for (int layer = 1; layer <= depth; layer++) {
                int node = line.length + layer * forks.size() + fork;
                tokens[node] = grown[fork].token(layer - 1);
                parents[node] = node - forks.size();
            }
        }
        return new TreeInput(request.sequence(), tokens, parents, size - forks.size());
    }

    /** Takes a token for each fork from the last pass's rows. */
    void grow(Logits logits, int input, int size, TokenRow row) {
        for (int fork = 0; fork < forks.size(); fork++) {
            row.read(logits, input, size - forks.size() + fork);
            grown[fork].add(row.best(), grown[fork].path() * row.probability(row.best()));
        }
    }

    /** Puts what has grown into the request's cache, and leaves the model with the context alone. */
    void store() {
        for (int fork = 0; fork < forks.size(); fork++) {
            if (grown[fork].size() > 0) {
                request.cache().put(forks.node(fork), forks.token(fork), grown[fork], 0);
            }
        }
        request.sequence().truncate(request.sequence().length());
    }
}
