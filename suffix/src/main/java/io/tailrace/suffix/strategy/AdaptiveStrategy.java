package io.tailrace.suffix.strategy;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPart;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.TargetRows;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** {@code adaptive}: see {@link AdaptiveDrafter}. */
final class AdaptiveStrategy implements CandidateStrategy {
    private static final String CANDIDATES = "candidates";

    @Override
    public String name() {
        return "adaptive";
    }

    @Override
    public String description() {
        return "the default: occurrences vote, a learned mixer decides; candidates=N, for served models: so do the model's own";
    }

    @Override
    public Probabilities probabilities() {
        return Probabilities.CALIBRATED;
    }

    @Override
    public List<String> parameters() {
        return Stream.concat(
                        Stream.of("floor", "tree", CANDIDATES),
                        DraftPart.ALL.stream().map(DraftPart::label))
                .toList();
    }

    @Override
    public boolean fromAnswers() {
        return true;
    }

    @Override
    public int candidatesWanted(StrategySettings settings) {
        return settings.integer(CANDIDATES, 0, 0, TargetRows.CANDIDATES_MAX);
    }

    @Override
    public TargetRows rows(StrategySettings settings) {
        return new TargetRows(Math.max(1, candidatesWanted(settings)));
    }

    @Override
    public Drafter drafter(StrategySettings settings, TargetRows rows) {
        DraftPolicy defaults = DraftPolicy.defaults();
        float floor = (float) settings.number("floor", defaults.probabilityFloor(), 0, 1);
        AdaptiveDrafter drafter = new AdaptiveDrafter(
                settings.weights().length == 0 ? Mixer.defaults() : Mixer.of(settings.weights()),
                new DraftPolicy(true, DraftPolicy.BUDGET_MAX, floor, defaults.weightsLayout(), defaults.weights()),
                settings.flag("tree", true),
                parts(settings));
        return candidatesWanted(settings) == 0 ? drafter : drafter.with(rows);
    }

    private static Set<DraftPart> parts(StrategySettings settings) {
        Set<DraftPart> parts = EnumSet.allOf(DraftPart.class);
        parts.removeIf(part -> !settings.flag(part.label(), true));
        return parts;
    }
}
