package io.tailrace.worker.serve;

import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.DrafterMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.TargetRows;
import io.tailrace.suffix.strategy.CandidateStrategy;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.worker.candidates.CandidateDrafts;
import io.tailrace.worker.draftmodel.ModelDrafts;
import io.tailrace.worker.engine.EngineDrafts;
import io.tailrace.worker.model.TargetModel;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What drafts, by the name of its strategy. */
public final class DraftSources {
    private static final String CANDIDATES = "candidates";
    /** The suffix half of {@code hybrid}. */
    private static final String SUFFIX_ONLY = Strategy.ADAPTIVE.name() + ":candidates=0";

    private DraftSources() {}

    /**
     * Makes a source.
     *
     * @param target the model whose drafts they are; draft models are closed before it
     * @param snapshots a scope's live snapshot
     * @param requestsMax most requests at once
     * @throws IllegalArgumentException if there is no such strategy or parameter
     * @throws io.tailrace.worker.model.ModelLoadException if the strategy names a draft model that cannot be used
     */
    static EngineDrafts create(
            DraftOptions options, TargetModel target, Function<String, LiveSnapshot> snapshots, int requestsMax) {
        return create(options.strategy(), target, snapshots, requestsMax);
    }

    private static EngineDrafts create(
            String text, TargetModel target, Function<String, LiveSnapshot> snapshots, int requestsMax) {
        if (ServedChoice.isServedOnly(text)) {
            return servedOnly(text, target, snapshots, requestsMax);
        }
        StrategyChoice choice = StrategyChoice.parse(text);
        if (choice.strategy() == Strategy.NONE) {
            return EngineDrafts.of(new NoDrafts());
        }
        if (choice.strategy() == Strategy.ADAPTIVE) {
            return adaptive(text, choice, snapshots, requestsMax);
        }
        if (choice.candidatesWanted() > 0) {
            return candidates(text, choice, snapshots, requestsMax);
        }
        DrafterMaker maker = DrafterMaker.of(policy -> choice.drafter(weights(policy)));
        return lanes(text, 0, snapshots, new LaneMakers(requestsMax, () -> maker));
    }

    private static EngineDrafts lanes(
            String name, int candidates, Function<String, LiveSnapshot> snapshots, LaneMakers makers) {
        LaneDrafts lanes = new LaneDrafts(name, snapshots, makers);
        return EngineDrafts.of(candidates == 0 ? lanes : new CandidateDrafts(lanes, candidates));
    }

    /** A lane's requests share the rows of the target's candidates; another lane's never see them. */
    private static EngineDrafts adaptive(
            String name, StrategyChoice choice, Function<String, LiveSnapshot> snapshots, int requestsMax) {
        int candidates = choice.candidatesWanted();
        boolean learns = Set.of(CANDIDATES).containsAll(choice.parameters().keySet());
        return lanes(name, candidates, snapshots, new LaneMakers(requestsMax, () -> {
            UnaryOperator<AdaptiveDrafter> told = told(candidates);
            return learns
                    ? new AdaptiveLane(new AdaptiveMaker(true), told, candidates > 0)
                    : sharing(candidates > 0, policy -> told.apply((AdaptiveDrafter) choice.drafter(weights(policy))));
        }));
    }

    /** What a lane's drafters are made into. */
    private static UnaryOperator<AdaptiveDrafter> told(int candidates) {
        if (candidates == 0) {
            return drafter -> drafter;
        }
        TargetRows target = new TargetRows(candidates);
        return drafter -> drafter.with(target);
    }

    /** A lane's adaptive drafters: they learn into the same weights, faster while a drift alarm is on. */
    private record AdaptiveLane(AdaptiveMaker source, UnaryOperator<AdaptiveDrafter> told, boolean sharesTokens)
            implements DrafterMaker {
        @Override
        public Drafter another(DraftPolicy policy, long learnedAtMillis) {
            return told.apply(source.another(policy, learnedAtMillis));
        }

        @Override
        public void requestBegins(boolean hurry) {
            source.requestBegins(hurry);
        }
    }

    private static EngineDrafts servedOnly(
            String name, TargetModel target, Function<String, LiveSnapshot> snapshots, int requestsMax) {
        ServedChoice choice = ServedChoice.parse(name, target.layers());
        if (choice.name().equals(ServedChoice.DRAFT_MODEL)) {
            return modelDrafts(name, choice, target);
        }
        EngineDrafts suffix = create(SUFFIX_ONLY, target, snapshots, requestsMax);
        EngineDrafts other = choice.otherwise().equals(ServedChoice.DRAFT_MODEL)
                ? modelDrafts(name, choice, target)
                : create(choice.otherwise(), target, snapshots, requestsMax);
        return other.within(new HybridDrafts(name, suffix.source(), other.source(), choice.threshold()));
    }

    private static EngineDrafts modelDrafts(String name, ServedChoice choice, TargetModel target) {
        TargetModel drafting = choice.directory()
                .map(directory -> target.draftModel(directory, target.cacheTokensMax()))
                .orElseGet(() -> target.firstLayers(choice.layers(), target.cacheTokensMax()));
        return EngineDrafts.of(new ModelDrafts(name, drafting, target.vocabularySize(), choice.drafting()));
    }

    /** A policy's weights, if this release understands them. */
    private static float[] weights(DraftPolicy policy) {
        return policy.bringsWeights() ? policy.weights() : new float[0];
    }

    /** A lane's requests share what is known of the target's candidates; another lane's never see it. */
    private static EngineDrafts candidates(
            String name, StrategyChoice choice, Function<String, LiveSnapshot> snapshots, int requestsMax) {
        CandidateStrategy strategy = (CandidateStrategy) choice.strategy();
        LaneMakers makers = new LaneMakers(requestsMax, () -> {
            TargetRows rows = strategy.rows(choice.settings(new float[0]));
            return sharing(true, policy -> strategy.drafter(choice.settings(weights(policy)), rows));
        });
        return lanes(name, choice.candidatesWanted(), snapshots, makers);
    }

    /** A maker of drafters that learn nothing together, but may share tokens. */
    private static DrafterMaker sharing(boolean tokens, Function<DraftPolicy, ? extends Drafter> drafters) {
        DrafterMaker plain = DrafterMaker.of(drafters);
        return new DrafterMaker() {
            @Override
            public Drafter another(DraftPolicy policy, long learnedAtMillis) {
                return plain.another(policy, learnedAtMillis);
            }

            @Override
            public void requestBegins(boolean hurry) {
                plain.requestBegins(hurry);
            }

            @Override
            public boolean sharesTokens() {
                return tokens;
            }
        };
    }
}
