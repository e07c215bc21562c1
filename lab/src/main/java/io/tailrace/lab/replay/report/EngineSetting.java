package io.tailrace.lab.replay.report;

import io.tailrace.suffix.draft.DraftPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The budget that did best, as the lines that set it in an engine.
 *
 * @param verdict on the budget that did best
 * @param inOneLine the same with drafts of one line; empty: not replayed, or they are that anyway
 * @param budgets all that were replayed, rising
 * @param formats of the logs that were read, as they are called
 */
record EngineSetting(GainVerdict verdict, Optional<GainVerdict> inOneLine, List<Integer> budgets, Set<String> formats) {
    private static final String DEFAULT_STRATEGY = "adaptive";
    private static final String SGLANG = "sglang";

    /** What somebody types or pastes. */
    record Line(String engine, String text) {}

    /** Said first where the engine that wrote a log cannot draft. */
    Optional<String> without() {
        return formats.contains(SGLANG)
                ? Optional.of(
                        "SGLang's log was read, and Tailrace has no door for SGLang yet. Two ways are open: let a tap"
                                + " publish SGLang's answers for engines that draft (page \"Publish what any server answers\"), or"
                                + " serve the model with vLLM (page \"vLLM in ten minutes\").")
                : Optional.empty();
    }

    List<Line> lines() {
        if (!pays()) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        if (isForVllm()) {
            lines.add(new Line(
                    "vLLM, with tailrace agent running beside it"
                            + inOneLine
                                    .map(line -> ", verifies one line of tokens: " + line.figures())
                                    .orElse(""),
                    "TAILRACE_DRAFT_TOKENS=%d vllm serve MODEL --scheduler-cls tailrace.vllm.TailraceScheduler"
                            .formatted(budget())));
        }
        String strategy = verdict.row().strategy().text();
        String drafter = strategy.equals(DEFAULT_STRATEGY) ? "" : " --strategy " + strategy;
        lines.add(new Line(
                "Tailrace's own worker", "tailrace worker --model FOLDER --budget %d%s".formatted(budget(), drafter)));
        return lines;
    }

    /** How far the lines hold, and where more is said. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(tried());
        if (pays() && isForVllm()) {
            if (inOneLine.isEmpty() && LineDrafts.draftsTrees(verdict.row().strategy())) {
                notes.add("vLLM verifies one line of tokens, and this replay drafted trees: expect somewhat less there."
                        + " --strategy adaptive:tree=false replays lines.");
            }
            notes.add(
                    "transformers and llama-cpp-python can draft so, too. They read TAILRACE_DRAFT_TOKENS and verify one line, as"
                            + " vLLM does: engines/python/README.md.");
            notes.add(
                    "The pages \"vLLM in ten minutes\", \"Draft for a stock vLLM\" and \"Serve a model\" of Tailrace's"
                            + " documentation say more.");
        }
        return notes;
    }

    /** What the terminal says of the engines that verify one line. */
    Optional<String> inShort() {
        if (!pays() || !isForVllm() || !LineDrafts.draftsTrees(verdict.row().strategy())) {
            return Optional.empty();
        }
        return Optional.of(inOneLine
                .map(line -> "In one line of tokens, as vLLM verifies: " + line.figures() + ".")
                .orElse("Drafts were trees, as Tailrace's worker verifies; vLLM verifies one line of tokens:"
                        + " --strategy adaptive:tree=false replays those."));
    }

    private String tried() {
        String all = budgets.stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (!pays()) {
            return "Drafting nothing does best beside the budgets that were replayed (%s): leave drafting off."
                    .formatted(all);
        }
        if (budgets.size() == 1) {
            return "Only a budget of %d was replayed. --budget 8,16,31 tells whether another does better."
                    .formatted(budget());
        }
        String best = "Replayed were budgets of %s; %d has the best estimate.".formatted(all, budget());
        boolean largest = budget() == budgets.get(budgets.size() - 1) && budget() < DraftPolicy.BUDGET_MAX;
        return largest
                ? best
                        + " It is the largest: --budget %d,%d tells whether more does better."
                                .formatted(budget(), DraftPolicy.BUDGET_MAX)
                : best;
    }

    private int budget() {
        return verdict.row().budget();
    }

    private boolean pays() {
        return budget() > 0 && verdict.speedUp() > 1;
    }

    private boolean isForVllm() {
        return LineDrafts.isForEngines(verdict.row().strategy()) && !formats.equals(Set.of(SGLANG));
    }
}
