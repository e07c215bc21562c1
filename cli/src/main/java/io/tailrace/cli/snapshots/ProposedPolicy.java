package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A policy as an operator proposes it. */
public final class ProposedPolicy {
    private ProposedPolicy() {}

    /**
     * As it is sent: without weights the job goes on with those that are live.
     *
     * @param budgetMax most draft tokens a verification, 0 to 64
     * @param floor path probability below which nothing is drafted, 0 to 1
     * @throws IllegalArgumentException if this is no policy
     */
    public static Policy of(boolean enabled, int budgetMax, float floor, float[] weights) {
        DraftPolicy checked =
                new DraftPolicy(enabled, budgetMax, floor, weights.length == 0 ? 0 : Mixer.LAYOUT, weights);
        List<Float> numbers = new ArrayList<>(weights.length);
        for (float weight : weights) {
            numbers.add(weight);
        }
        return new Policy(
                checked.enabled(),
                checked.budgetMax(),
                checked.probabilityFloor(),
                checked.weightsLayout(),
                numbers,
                List.of(),
                0L,
                Instant.EPOCH,
                0L);
    }
}
