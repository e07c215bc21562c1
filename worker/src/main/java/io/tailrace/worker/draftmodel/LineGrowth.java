package io.tailrace.worker.draftmodel;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.List;

/**
 * Grows the lines of several requests, a token of each in a pass. A request whose context the model has not read reads it first,
 * in pieces, while the others' lines grow. One thread at a time.
 */
final class LineGrowth {
    private static final int PREFILL_TOKENS = 256;

    private final TargetModel model;
    private final TokenRow row;

    LineGrowth(TargetModel model, TokenRow row) {
        this.model = model;
        this.row = row;
    }

    /** Grows each request's line to what it wants, at least one token. */
    void grow(List<ModelDrafting> requests) {
        List<ModelDrafting> growing = new ArrayList<>(requests);
        while (!growing.isEmpty()) {
            pass(growing);
            growing.removeIf(request -> request.line().size() >= request.wanted());
        }
    }

    private void pass(List<ModelDrafting> growing) {
        List<TreeInput> inputs = growing.stream().map(request -> input(request)).toList();
        Logits logits = model.forward(inputs);
        for (int i = 0; i < growing.size(); i++) {
            ModelDrafting request = growing.get(i);
            int tokens = inputs.get(i).size();
            if (!request.knowsContext()) {
                request.read(tokens);
            }
            if (request.knowsContext()) {
                row.read(logits, i, tokens - 1);
                request.line().add(row.best(), request.line().path() * row.probability(row.best()));
            }
        }
        growing.stream().map(ModelDrafting::sequence).forEach(ModelSequence::commitAll);
    }

    private static TreeInput input(ModelDrafting request) {
        int[] tokens = request.knowsContext() ? new int[] {request.line().last()} : request.unread(PREFILL_TOKENS);
        return TreeInput.line(request.sequence(), tokens, tokens.length - 1);
    }
}
