package io.tailrace.lab.replay.report;

import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The budget that did best, as the lines that set it in an engine.
 *
 * @param strategy which drafted
 * @param budgets all that were replayed, rising
 */
record EngineSetting(StrategyChoice strategy, int budget, List<Integer> budgets) {
    private static final String DEFAULT_STRATEGY = "adaptive";

    /** What somebody types or pastes. */
    record Line(String engine, String text) {}

    List<Line> lines() {
        if (budget == 0) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        if (isDefault()) {
            lines.add(new Line(
                    "vLLM, with tailrace agent running beside it",
                    "TAILRACE_DRAFT_TOKENS=%d vllm serve MODEL --scheduler-cls tailrace.vllm.TailraceScheduler"
                            .formatted(budget)));
        }
        String drafter = strategy.text().equals(DEFAULT_STRATEGY) ? "" : " --strategy " + strategy.text();
        lines.add(new Line(
                "Tailrace's own worker", "tailrace worker --model FOLDER --budget %d%s".formatted(budget, drafter)));
        return lines;
    }

    /** How far the lines hold, and where more is said. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(tried());
        if (budget > 0 && isDefault()) {
            if (draftsTrees()) {
                notes.add("vLLM verifies one line of tokens, and this replay drafted trees: expect somewhat less there."
                        + " --strategy adaptive:tree=false replays lines.");
            }
            notes.add(
                    "The pages \"Draft for a stock vLLM\" and \"Serve a model\" of Tailrace's documentation say more.");
        }
        return notes;
    }

    private String tried() {
        String all = budgets.stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (budget == 0) {
            return "Drafting nothing did best of the budgets that were replayed (%s): leave drafting off."
                    .formatted(all);
        }
        if (budgets.size() == 1) {
            return "Only a budget of %d was replayed. --budget 8,16,31 tells whether another does better."
                    .formatted(budget);
        }
        String best = "Replayed were budgets of %s; %d has the best estimate.".formatted(all, budget);
        boolean largest = budget == budgets.get(budgets.size() - 1) && budget < DraftPolicy.BUDGET_MAX;
        return largest
                ? best
                        + " It is the largest: --budget %d,%d tells whether more does better."
                                .formatted(budget, DraftPolicy.BUDGET_MAX)
                : best;
    }

    private boolean isDefault() {
        return strategy.strategy().name().equals(DEFAULT_STRATEGY);
    }

    private boolean draftsTrees() {
        return strategy.settings(new float[0]).flag("tree", true);
    }
}
