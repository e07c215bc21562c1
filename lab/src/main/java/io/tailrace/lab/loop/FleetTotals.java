package io.tailrace.lab.loop;

import io.tailrace.schemas.Counterfactual;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Outcomes, added up. One thread at a time. */
public final class FleetTotals {
    /** The strategy that drafts from the request's own context only, measured beside the real one. */
    public static final String OWN_CONTEXT = "own-context";

    private static final Set<String> OWN_SOURCES =
            Set.of(SourceKind.OWN.label(), SourceKind.SAID.label(), SourceKind.OWN_GAPPED.label());

    private long requests;
    private long responseTokens;
    private long steps;
    private long drafted;
    private long accepted;
    private long ownContextTokens;
    private long ownContextSteps;
    private final Map<String, Long> acceptedBySource = new TreeMap<>();

    /** Adds one outcome. */
    public void add(Outcome outcome) {
        requests++;
        responseTokens += outcome.getResponseTokens();
        steps += outcome.getSteps();
        drafted += outcome.getDrafted();
        accepted += outcome.getAccepted();
        for (SourceOutcome source : outcome.getBySource()) {
            acceptedBySource.merge(source.getSource(), (long) source.getAccepted(), Long::sum);
        }
        for (Counterfactual counterfactual : outcome.getCounterfactuals()) {
            if (counterfactual.getStrategy().equals(OWN_CONTEXT)) {
                ownContextTokens += outcome.getResponseTokens();
                ownContextSteps += counterfactual.getSteps();
            }
        }
    }

    public long requests() {
        return requests;
    }

    public long responseTokens() {
        return responseTokens;
    }

    public long steps() {
        return steps;
    }

    public long drafted() {
        return drafted;
    }

    public long accepted() {
        return accepted;
    }

    /** Accepted draft tokens by source kind. */
    public Map<String, Long> acceptedBySource() {
        return Map.copyOf(acceptedBySource);
    }

    /** Accepted draft tokens that came from answers, not from the request's own context. */
    public long acceptedFromAnswers() {
        return acceptedBySource.entrySet().stream()
                .filter(source -> !OWN_SOURCES.contains(source.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Response tokens of the outcomes whose own-context figure was measured. */
    public long ownContextTokens() {
        return ownContextTokens;
    }

    public long ownContextSteps() {
        return ownContextSteps;
    }

    /** 0 before the first outcome. */
    public double tokensPerStep() {
        return ratio(responseTokens, steps);
    }

    /** What drafting from the own context only would have given on the same requests; 0 if it was not measured. */
    public double tokensPerStepOwnContext() {
        return ratio(ownContextTokens, ownContextSteps);
    }

    private static double ratio(long numerator, long denominator) {
        return denominator == 0 ? 0 : (double) numerator / denominator;
    }
}
