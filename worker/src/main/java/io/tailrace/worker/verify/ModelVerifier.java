package io.tailrace.worker.verify;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.Arrays;
import java.util.List;

/**
 * Verifies against a model, greedily and one request a pass: the accepted path is the one that the model would have said
 * itself. Times are measured. Sessions of several threads take turns, since a model belongs to one thread at a time; a server
 * that wants them in one batch drives the {@link TargetModel} itself.
 */
public final class ModelVerifier implements Verifier<ModelRequest> {
    private final TargetModel model;
    private final int prefillTokensMax;

    /**
     * A verifier that borrows a model.
     *
     * @param model closed by its owner, after this verifier
     * @param prefillTokensMax prompt tokens of one pass, at least 1; longer prompts go in pieces
     */
    public ModelVerifier(TargetModel model, int prefillTokensMax) {
        if (prefillTokensMax < 1) {
            throw new IllegalArgumentException("prefillTokensMax must be at least 1, got " + prefillTokensMax);
        }
        this.model = model;
        this.prefillTokensMax = prefillTokensMax;
    }

    @Override
    public VerifierSession begin(ModelRequest request) {
        synchronized (model) {
            return new Session(request, model.open());
        }
    }

    @Override
    public void close() {
        // The model belongs to somebody else.
    }

    private final class Session implements VerifierSession {
        private final ModelRequest request;
        private final ModelSequence sequence;
        /** Known tokens that are not in the cache yet: the prompt, later the last token said. */
        private int[] waiting;

        private int said;
        private boolean finished;

        Session(ModelRequest request, ModelSequence sequence) {
            this.request = request;
            this.sequence = sequence;
            waiting = request.prompt();
        }

        @Override
        public void verify(Draft draft, Verdict into) {
            if (finished) {
                throw new IllegalStateException("the request has ended after " + said + " tokens");
            }
            into.clear();
            synchronized (model) {
                long began = System.nanoTime();
                prefill();
                pass(draft, into);
                into.cost(1, draft.size() + 1, (System.nanoTime() - began) / 1_000);
            }
            waiting = new int[] {into.tokens()[into.length() - 1]};
            if (finished) {
                into.finish();
            }
        }

        private void prefill() {
            while (waiting.length > prefillTokensMax) {
                int[] piece = Arrays.copyOf(waiting, prefillTokensMax);
                model.forward(List.of(TreeInput.line(sequence, piece, piece.length)));
                sequence.commitAll();
                waiting = Arrays.copyOfRange(waiting, prefillTokensMax, waiting.length);
            }
        }

        /** Known tokens as a line, the draft below its end; down the path that the model agrees with. */
        private void pass(Draft draft, Verdict into) {
            int root = waiting.length - 1;
            Logits logits = model.forward(List.of(tree(draft, root)));
            int[] path = new int[root + 1 + draft.size()];
            Arrays.setAll(path, node -> node);
            int kept = root + 1;
            int at = -1;
            int token = logits.argmax(0, root);
            for (int node = 0; node < draft.size() && !ends(token); node++) {
                if (draft.parent(node) == at && draft.token(node) == token) {
                    into.accept(node, token);
                    said++;
                    path[kept++] = root + 1 + node;
                    at = node;
                    token = logits.argmax(0, root + 1 + node);
                }
            }
            into.bonus(token);
            finished = ends(token);
            said++;
            sequence.commit(path, kept);
        }

        private TreeInput tree(Draft draft, int root) {
            int[] tokens = Arrays.copyOf(waiting, root + 1 + draft.size());
            int[] parents = new int[tokens.length];
            for (int node = 0; node < tokens.length; node++) {
                parents[node] = node - 1;
            }
            for (int node = 0; node < draft.size(); node++) {
                tokens[root + 1 + node] = draft.token(node);
                parents[root + 1 + node] = draft.parent(node) < 0 ? root : root + 1 + draft.parent(node);
            }
            return new TreeInput(sequence, tokens, parents, root);
        }

        /** Whether the answer ends with this token, as the next one said. */
        private boolean ends(int token) {
            return said + 1 >= request.outputTokensMax()
                    || Arrays.stream(request.endTokens()).anyMatch(end -> end == token);
        }

        @Override
        public void close() {
            synchronized (model) {
                sequence.close();
            }
        }
    }
}
