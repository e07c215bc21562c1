package io.tailrace.lab.demo;

import io.tailrace.lab.demo.EngineDemoResult.EngineShare;
import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.List;

/** The result of the demo with real engines, for people. */
final class EngineDemoSummary {
    private final PrintWriter out;

    EngineDemoSummary(PrintWriter out) {
        this.out = out;
    }

    void print(EngineDemoResult result) {
        out.println();
        engines(result);
        out.println();
        DemoStages.table(result.stages()).print(out);
        out.println();
        out.println("equal        answers that are vLLM's without Tailrace, token by token");
        out.println("heard        %s (an answer's end at one engine until the other could draft from it, median)"
                .formatted(seconds(result.heardSeconds())));
        out.println("first        %s (start of this command until one engine accepted what the other had answered)"
                .formatted(seconds(result.firstSharedSeconds())));
        DemoAccounts.print(result.accounting(), out);
        out.println();
        List<String> shortcomings = result.shortcomings();
        if (shortcomings.isEmpty()) {
            out.println(
                    "All promises kept: every answer is vLLM's own, drafts came from the other engine, the accounts close.");
        }
        shortcomings.forEach(shortcoming -> out.println("Fell short: " + shortcoming + "."));
        out.flush();
    }

    private void engines(EngineDemoResult result) {
        Table table = new Table(
                "engine",
                "answers",
                "equal",
                "tokens",
                "tokens/step",
                "accepted",
                "of own context",
                "of the fleet's answers");
        for (EngineShare share : result.engines()) {
            FleetTotals served = share.served();
            table.row(
                    share.engine(),
                    served.requests(),
                    share.equal(),
                    served.responseTokens(),
                    served.tokensPerStep(),
                    served.accepted(),
                    served.accepted() - served.acceptedFromAnswers(),
                    served.acceptedFromAnswers());
        }
        table.print(out);
    }

    private static String seconds(double seconds) {
        return seconds < 0 ? "-" : "%.1f s".formatted(seconds);
    }
}
