package io.tailrace.worker.serve;

import io.tailrace.suffix.draft.strategy.Strategy;
import io.tailrace.suffix.draft.strategy.StrategyChoice;
import io.tailrace.worker.AdaptiveDrafterSource;
import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.NoDrafts;
import io.tailrace.worker.follow.LiveSnapshot;
import io.tailrace.worker.model.TargetModel;
import java.util.function.Function;

/** Draft sources by the name of their strategy. */
public final class DraftSources {
    private DraftSources() {}

    /**
     * Makes a source.
     *
     * @param target the model whose drafts they are; sources made of its layers are closed before it
     * @param snapshots a scope's live snapshot
     * @throws IllegalArgumentException if there is no such strategy or parameter
     */
    static DraftSource create(DraftOptions options, TargetModel target, Function<String, LiveSnapshot> snapshots) {
        StrategyChoice choice = StrategyChoice.parse(options.strategy());
        if (choice.drafter(new float[0]).needsCandidates()) {
            throw new IllegalArgumentException(
                    "strategy " + options.strategy()
                            + " needs the model's best candidates at each token, which this worker does not pass on yet; choose another");
        }
        if (choice.strategy() == Strategy.NONE) {
            return new NoDrafts();
        }
        if (choice.strategy() == Strategy.ADAPTIVE) {
            return new LaneDrafts(options.strategy(), snapshots, () -> {
                AdaptiveDrafterSource lane = new AdaptiveDrafterSource(true);
                return lane::another;
            });
        }
        return new LaneDrafts(
                options.strategy(), snapshots, () -> (policy, learnedAt) -> choice.drafter(policy.weights()));
    }
}
