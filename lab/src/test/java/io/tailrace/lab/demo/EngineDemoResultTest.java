package io.tailrace.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.demo.EngineDemoResult.EngineShare;
import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopObserver.Accounting.Records;
import io.tailrace.lab.loop.LoopObserver.Accounting.Tokens;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.SourceOutcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineDemoResultTest {
    private static final Records CLOSED_RECORDS = new Records(2, 2, 0, 0, 0);
    private static final Tokens CLOSED_TOKENS = new Tokens(20, 20, 0, 0, 0, 0);

    @Test
    void equalAnswersDraftsOfTheOtherEngineAndClosedAccountsKeepAllPromises() {
        assertThat(result(1, "fresh", CLOSED_RECORDS, CLOSED_TOKENS).shortcomings())
                .isEmpty();
    }

    @Test
    void anAnswerThatDiffersFallsShort() {
        assertThat(result(0, "fresh", CLOSED_RECORDS, CLOSED_TOKENS).shortcomings())
                .singleElement()
                .asString()
                .contains("1 of 1 answers of engine-2 differ");
    }

    @Test
    void draftsOfTheOwnContextOnlyFallShort() {
        assertThat(result(1, "own", CLOSED_RECORDS, CLOSED_TOKENS).shortcomings())
                .singleElement()
                .asString()
                .contains("fleet");
        assertThat(result(1, "own-gapped", CLOSED_RECORDS, CLOSED_TOKENS).shortcomings())
                .hasSize(1);
    }

    @Test
    void accountsThatDoNotCloseOrWaitFallShort() {
        assertThat(result(1, "newest", new Records(3, 2, 0, 0, 0), CLOSED_TOKENS)
                        .shortcomings())
                .singleElement()
                .asString()
                .contains("accounts");
        assertThat(result(1, "older", CLOSED_RECORDS, new Tokens(20, 19, 1, 0, 0, 0))
                        .shortcomings())
                .singleElement()
                .asString()
                .contains("pending");
    }

    @Test
    void aLostOutcomeFallsShort() {
        EngineDemoResult result = new EngineDemoResult(
                "vllm",
                1,
                List.of(
                        new EngineShare("engine-1", 1, new FleetTotals(), 0),
                        new EngineShare("engine-2", 1, totals("fresh"), 7)),
                0.1,
                90,
                List.of(),
                new LoopObserver.Accounting(CLOSED_RECORDS, CLOSED_TOKENS));
        assertThat(result.shortcomings()).singleElement().asString().contains("0 requests of engine-1");
    }

    @Test
    void jsonHoldsWhatProgramsRelyOn() {
        assertThat(result(1, "fresh", CLOSED_RECORDS, CLOSED_TOKENS).toJson())
                .containsKeys("prompts", "engines", "heardSeconds", "firstSharedSeconds", "stages", "records", "tokens")
                .containsEntry("shortcomings", List.of());
    }

    private static EngineDemoResult result(long equal, String source, Records records, Tokens tokens) {
        return new EngineDemoResult(
                "vllm",
                1,
                List.of(
                        new EngineShare("engine-1", 1, totals("own"), 7),
                        new EngineShare("engine-2", equal, totals(source), 7)),
                0.1,
                90,
                List.of(),
                new LoopObserver.Accounting(records, tokens));
    }

    private static FleetTotals totals(String source) {
        FleetTotals totals = new FleetTotals();
        totals.add(Outcome.newBuilder()
                .setRequestId("r")
                .setLane(new Lane("demo", "main", "demo"))
                .setWorker("engine")
                .setWorkerClass("default")
                .setStrategy("adaptive")
                .setSnapshotVersionFirst(0)
                .setSnapshotVersionLast(0)
                .setPromptTokens(5)
                .setResponseTokens(10)
                .setSteps(3)
                .setDrafted(9)
                .setAccepted(7)
                .setBySource(List.of(new SourceOutcome(source, 1, 9, 7)))
                .setStepTimes(List.of())
                .setDraftMicros(0)
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .build());
        return totals;
    }
}
