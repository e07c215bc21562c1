package io.tailrace.worker.draftmodel;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.DraftPolicy;
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
public final class ModelDrafts implements DraftSource, AheadOfVerification {
    private final String strategy;
    private final TargetModel model;
    private final Options options;
    private final LineGrowth growth;
    private final Optional<DraftingAhead> speculation;
    /** Of the step in hand. */
    private final List<ModelDrafting> drafting = new ArrayList<>();

    /**
     * Drafts of a model.
     *
     * @param model taken over
     * @param targetVocabulary token ids that the target knows are below it
     */
    public ModelDrafts(String strategy, TargetModel model, int targetVocabulary, Options options) {
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
    public RequestDrafts begin(String scope, int[] prompt) {
        return new ModelDrafting(this, model, prompt, options);
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
    public void draft(Step step) {
        drafting.clear();
        for (int place = 0; place < step.size(); place++) {
            ModelDrafting request = step.request(place, ModelDrafting.class);
            request.plan(step.budget(place));
            drafting.add(request);
        }
        long began = System.nanoTime();
        growLines();
        long nanos = System.nanoTime() - began;
        for (int place = 0; place < step.size(); place++) {
            step.put(place, drafting.get(place).line(), nanos / step.size());
        }
    }

    private void growLines() {
        List<ModelDrafting> growing = drafting.stream()
                .filter(request -> !request.takePrepared() && request.wanted() > 0)
                .toList();
        if (speculation.isPresent()) {
            speculation.get().grow(drafting.size(), growing, growth);
        } else {
            growth.grow(growing);
        }
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        for (int place = 0; place < step.size(); place++) {
            drafting.get(place).verified(outcomes.tokens(place), outcomes.count(place));
        }
        drafting.clear();
    }

    /** Where another source's draft is verified in place of a request's line, there is no line. */
    @Override
    public void verificationBegins(int[] nodes) {
        List<ModelDrafting> verifying = new ArrayList<>();
        for (int place = 0; place < drafting.size(); place++) {
            ModelDrafting request = drafting.get(place);
            request.verifying(Math.min(nodes[place], request.line().size()));
            if (request.verifyingNodes() > 0) {
                verifying.add(request);
            }
        }
        speculation.filter(any -> !verifying.isEmpty()).ifPresent(any -> any.begin(verifying));
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

    /**
     * How a draft model drafts.
     *
     * @param tokensMax longest draft
     * @param forksMax endings of a verification that drafts are prepared for while it runs; 0: none are
     */
    public record Options(int tokensMax, int forksMax) {
        /** Most endings: a tree of all their drafts is one pass. */
        public static final int FORKS_MAX = 64;

        public Options {
            require("tokensMax", tokensMax, 1, DraftPolicy.BUDGET_MAX);
            require("forksMax", forksMax, 0, FORKS_MAX);
        }

        private static void require(String name, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException("%s must be in [%d, %d], got %d".formatted(name, min, max, value));
            }
        }
    }
}
