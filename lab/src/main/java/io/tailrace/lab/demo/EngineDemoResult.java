package io.tailrace.lab.demo;

import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the demo with real engines measured.
 *
 * @param environment versions of the engine
 * @param prompts that each engine answered
 * @param engines the one that answers first, then the other
 * @param heardSeconds from an answer's end at the first engine until the second could draft from it, median; -1: none was heard of
 * @param firstSharedSeconds from the start of the demo until the second engine had accepted what the first had answered; -1: never
 * @param accounting as it stood at the end
 */
record EngineDemoResult(
        String environment,
        int prompts,
        List<EngineShare> engines,
        double heardSeconds,
        double firstSharedSeconds,
        List<DemoStages.Stage> stages,
        LoopObserver.Accounting accounting) {

    /**
     * One engine.
     *
     * @param equal answers that are vLLM's without Tailrace, token by token
     * @param served its outcomes, read from Kafka
     * @param acceptedByEngine draft tokens that vLLM itself counts as accepted
     */
    record EngineShare(String engine, long equal, FleetTotals served, long acceptedByEngine) {}

    /** What the demo promises and did not keep, in sentences. */
    List<String> shortcomings() {
        List<String> found = new ArrayList<>();
        for (EngineShare share : engines) {
            if (share.equal() != prompts) {
                found.add("%d of %d answers of %s differ from vLLM's without Tailrace"
                        .formatted(prompts - share.equal(), prompts, share.engine()));
            }
            if (share.served().requests() != prompts) {
                found.add("topic outcomes holds %d requests of %s, but %d were answered"
                        .formatted(share.served().requests(), share.engine(), prompts));
            }
        }
        if (engines.get(1).served().acceptedFromAnswers() == 0) {
            found.add("%s accepted no token from the fleet's answers"
                    .formatted(engines.get(1).engine()));
        }
        if (!accounting.closes()) {
            found.add("the accounts do not close");
        }
        if (accounting.tokens().pending() > 0) {
            found.add(accounting.tokens().pending() + " tokens are still pending");
        }
        return found;
    }

    /** The result for programs. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("environment", environment);
        json.put("prompts", prompts);
        json.put("answerTokens", EngineDemo.ANSWER_TOKENS);
        json.put("engines", engines.stream().map(EngineDemoResult::row).toList());
        json.put("heardSeconds", heardSeconds);
        json.put("firstSharedSeconds", firstSharedSeconds);
        json.put("stages", stages);
        DemoAccounts.addTo(json, accounting);
        json.put("shortcomings", shortcomings());
        return json;
    }

    private static Map<String, Object> row(EngineShare share) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("engine", share.engine());
        row.put("requests", share.served().requests());
        row.put("equal", share.equal());
        row.put("responseTokens", share.served().responseTokens());
        row.put("tokensPerStep", share.served().tokensPerStep());
        row.put("drafted", share.served().drafted());
        row.put("accepted", share.served().accepted());
        row.put("acceptedFromAnswers", share.served().acceptedFromAnswers());
        row.put("acceptedByEngine", share.acceptedByEngine());
        row.put("acceptedBySource", share.served().acceptedBySource());
        return row;
    }
}
