package io.tailrace.cli.fleet;

import io.tailrace.schemas.Counterfactual;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.PositionOutcome;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums of outcomes. Not thread-safe. */
public final class OutcomeTally {
    /** More sources, match lengths or workers are summed up as one. */
    static final int NAMES_MAX = 256;

    static final String OTHERS = "(others)";

    private static final String OWN_CONTEXT = "own-context";

    private final Map<String, Drafted> bySource = new TreeMap<>();
    private final Map<Integer, Drafted> byMatchLength = new TreeMap<>();
    private final List<Drafted> byPosition = new ArrayList<>();
    private final Map<String, Steps> byWorker = new TreeMap<>();
    private Steps all = Steps.NONE;
    private long requests;
    private long ownSteps;
    private long comparedSteps;

    /** Drafted tokens, or steps that drafted, and how many of them were accepted. */
    public record Drafted(long drafted, long accepted) {
        static final Drafted NONE = new Drafted(0, 0);

        Drafted plus(Drafted other) {
            return new Drafted(drafted + other.drafted, accepted + other.accepted);
        }
    }

    /** Verifications and what they gave. */
    public record Steps(long steps, long drafted, long accepted, long responseTokens) {
        static final Steps NONE = new Steps(0, 0, 0, 0);

        Steps plus(Steps other) {
            return new Steps(
                    steps + other.steps,
                    drafted + other.drafted,
                    accepted + other.accepted,
                    responseTokens + other.responseTokens);
        }

        /** Null: there were none. */
        public Double tokensPerStep() {
            return Ratio.of(responseTokens, steps);
        }

        /** Null: there were none. */
        public Double acceptedPerStep() {
            return Ratio.of(accepted, steps);
        }
    }

    /**
     * Adds one.
     *
     * @throws IllegalArgumentException if a count is negative or there are too many positions; nothing is added then
     */
    void add(Outcome outcome) {
        check(outcome);
        Steps steps =
                new Steps(outcome.getSteps(), outcome.getDrafted(), outcome.getAccepted(), outcome.getResponseTokens());
        requests++;
        all = all.plus(steps);
        byWorker.merge(named(Shown.text(outcome.getWorker()), byWorker), steps, Steps::plus);
        outcome.getBySource().forEach(this::source);
        for (int at = 0; at < outcome.getByPosition().size(); at++) {
            PositionOutcome there = outcome.getByPosition().get(at);
            position(at, new Drafted(there.getDrafted(), there.getAccepted()));
        }
        outcome.getCounterfactuals().stream()
                .filter(other -> other.getStrategy().equals(OWN_CONTEXT))
                .findFirst()
                .ifPresent(own -> {
                    ownSteps += own.getSteps();
                    comparedSteps += outcome.getSteps();
                });
    }

    private void source(SourceOutcome part) {
        Drafted drafted = new Drafted(part.getDrafted(), part.getAccepted());
        bySource.merge(named(Shown.text(part.getSource()), bySource), drafted, Drafted::plus);
        Integer length = part.getMatchLengthMin();
        byMatchLength.merge(
                byMatchLength.containsKey(length) || byMatchLength.size() < NAMES_MAX ? length : Integer.valueOf(-1),
                drafted,
                Drafted::plus);
    }

    private void position(int at, Drafted steps) {
        if (at == byPosition.size()) {
            byPosition.add(Drafted.NONE);
        }
        byPosition.set(at, byPosition.get(at).plus(steps));
    }

    private static String named(String name, Map<String, ?> there) {
        return there.containsKey(name) || there.size() < NAMES_MAX ? name : OTHERS;
    }

    private static void check(Outcome outcome) {
        boolean counts = outcome.getSteps() >= 0
                && outcome.getDrafted() >= 0
                && outcome.getAccepted() >= 0
                && outcome.getResponseTokens() >= 0
                && outcome.getByPosition().stream().allMatch(at -> at.getDrafted() >= 0 && at.getAccepted() >= 0)
                && outcome.getBySource().stream().allMatch(part -> part.getDrafted() >= 0 && part.getAccepted() >= 0)
                && outcome.getCounterfactuals().stream()
                        .mapToInt(Counterfactual::getSteps)
                        .allMatch(steps -> steps >= 0);
        if (!counts) {
            throw new IllegalArgumentException("an outcome's counts must not be negative");
        }
        if (outcome.getByPosition().size() > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException("an outcome has at most %d positions, got %d"
                    .formatted(DraftPolicy.BUDGET_MAX, outcome.getByPosition().size()));
        }
    }

    /** Adds all of another one. */
    void add(OutcomeTally other) {
        requests += other.requests;
        all = all.plus(other.all);
        ownSteps += other.ownSteps;
        comparedSteps += other.comparedSteps;
        other.bySource.forEach((name, part) -> bySource.merge(name, part, Drafted::plus));
        other.byMatchLength.forEach((length, part) -> byMatchLength.merge(length, part, Drafted::plus));
        for (int at = 0; at < other.byPosition.size(); at++) {
            position(at, other.byPosition.get(at));
        }
        other.byWorker.forEach((name, part) -> byWorker.merge(name, part, Steps::plus));
    }

    public long requests() {
        return requests;
    }

    public Steps all() {
        return all;
    }

    public Map<String, Drafted> bySource() {
        return bySource;
    }

    /** By the least match length of a class. */
    public Map<Integer, Drafted> byMatchLength() {
        return byMatchLength;
    }

    /** By position in the draft, the first first: steps whose draft had a token there, and steps that accepted one. */
    public List<Drafted> byPosition() {
        return Collections.unmodifiableList(byPosition);
    }

    public Map<String, Steps> byWorker() {
        return byWorker;
    }

    /** Tokens a step over those of the request's own context alone; null: workers were not asked to measure it. */
    public Double gain() {
        return Ratio.of(ownSteps, comparedSteps);
    }
}
