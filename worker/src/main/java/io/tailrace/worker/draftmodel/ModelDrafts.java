package io.tailrace.worker.draftmodel;

import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.model.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code draft-model}: a small model drafts a line of tokens, each the likeliest behind the one before; for all requests of a step
 * together, so that the k-th tokens of all lines are one pass. The model is one of its own, or the target's first layers with its
 * output head, which need no further weights (LayerSkip: Elhoushi et al., arXiv 2404.16710, without its training). A node's
 * probability is what the model itself gives its path, which the budget's trust sets right.
 *
 * <p>The model's cache keeps of a draft what the target then says. With a {@linkplain DraftingAhead speculation cache} drafts are
 * prepared while the target verifies; a verification that ends as foreseen has its next draft at once.
 */
public final class ModelDrafts implements DraftSource {
    private final String strategy;
    private final TargetModel model;
    private final ModelDraftOptions options;
    private final LineGrowth growth;
    private final Optional<DraftingAhead> speculation;
    private final List<ModelDrafting> planned = new ArrayList<>();
    private final List<ModelDrafting> verifying = new ArrayList<>();

    /**
     * Drafts of a model.
     *
     * @param model taken over
     * @param targetVocabulary token ids that the target knows are below it
     */
    public ModelDrafts(String strategy, TargetModel model, int targetVocabulary, ModelDraftOptions options) {
        TokenRow row = new TokenRow(model.vocabularySize(), targetVocabulary);
        this.strategy = strategy;
        this.model = model;
        this.options = options;
        this.growth = new LineGrowth(model, row);
        this.speculation = options.forksMax() == 0
                ? Optional.empty()
                : Optional.of(new DraftingAhead(
                        model, options, new TokenRow(model.vocabularySize(), targetVocabulary), strategy));
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public Drafting begin(String scope, int[] prompt) {
        return new ModelDrafting(this, model, prompt, options);
    }

    /** All of them will be drafted for together. */
    void plan(ModelDrafting request) {
        planned.add(request);
    }

    /** Its line is being verified. */
    void verifies(ModelDrafting request) {
        verifying.add(request);
    }

    /** A line of a request was verified, and it emitted so many tokens. */
    void verified(boolean lineWasPrepared, int tokens) {
        speculation.ifPresent(ahead -> ahead.misses().round(lineWasPrepared, tokens));
    }

    /** A verification whose endings were prepared for has ended. */
    void ended(boolean foreseen) {
        speculation.ifPresent(ahead -> ahead.misses().looked(foreseen));
    }

    /** Verifications that ended as one of the endings prepared for. */
    long foreseen() {
        return speculation.map(ahead -> ahead.misses().hits()).orElse(0L);
    }

    @Override
    public void draftPlanned() {
        List<ModelDrafting> growing = planned.stream()
                .filter(request -> !request.takePrepared() && request.wanted() > 0)
                .toList();
        if (speculation.isPresent()) {
            speculation.get().grow(planned.size(), growing, growth);
        } else {
            growth.grow(growing);
        }
        planned.clear();
    }

    @Override
    public void verificationBegins() {
        speculation.filter(any -> !verifying.isEmpty()).ifPresent(any -> any.begin(List.copyOf(verifying)));
        verifying.clear();
    }

    @Override
    public void verificationEnded() {
        speculation.ifPresent(DraftingAhead::end);
    }

    @Override
    public void close() {
        speculation.ifPresent(DraftingAhead::close);
        model.close();
    }
}
