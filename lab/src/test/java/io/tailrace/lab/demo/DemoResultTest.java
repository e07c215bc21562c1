package io.tailrace.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.loop.FleetTotals;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopObserver.Accounting.Records;
import io.tailrace.lab.loop.LoopObserver.Accounting.Tokens;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DemoResultTest {
    private static final Records CLOSED_RECORDS = new Records(5, 3, 1, 1, 1);
    private static final Tokens CLOSED_TOKENS = new Tokens(30, 20, 0, 6, 4, 0);

    @Test
    void closedAccountsAndFreshSnapshotsKeepAllPromises() {
        assertThat(result(CLOSED_RECORDS, CLOSED_TOKENS, 10_000).shortcomings()).isEmpty();
    }

    @Test
    void aLostRecordFallsShort() {
        assertThat(result(new Records(6, 3, 1, 1, 1), CLOSED_TOKENS, 100).shortcomings())
                .singleElement()
                .asString()
                .contains("records");
    }

    @Test
    void aRejectionThatTheJobDidNotCountFallsShort() {
        assertThat(result(new Records(5, 3, 1, 1, 0), CLOSED_TOKENS, 100).shortcomings())
                .hasSize(1);
    }

    @Test
    void lostOrPendingTokensFallShort() {
        assertThat(result(CLOSED_RECORDS, new Tokens(30, 20, 0, 6, 3, 0), 100).shortcomings())
                .hasSize(1);
        assertThat(result(CLOSED_RECORDS, new Tokens(30, 19, 1, 6, 4, 0), 100).shortcomings())
                .singleElement()
                .asString()
                .contains("pending");
    }

    @Test
    void staleSnapshotsFallShort() {
        assertThat(result(CLOSED_RECORDS, CLOSED_TOKENS, 10_001).shortcomings())
                .singleElement()
                .asString()
                .contains("freshness");
        assertThat(result(CLOSED_RECORDS, CLOSED_TOKENS, -1).shortcomings()).hasSize(1);
    }

    @Test
    void jsonHoldsWhatProgramsRelyOn() {
        assertThat(result(CLOSED_RECORDS, CLOSED_TOKENS, 100).toJson())
                .containsKeys(
                        "requests",
                        "tokensPerStep",
                        "tokensPerStepOwnContext",
                        "freshnessMillis",
                        "heardMillis",
                        "snapshotVersion",
                        "workers",
                        "records",
                        "tokens");
    }

    private static DemoResult result(Records records, Tokens tokens, long freshnessP99Millis) {
        return new DemoResult(
                0,
                new FleetTotals(),
                new TreeMap<>(),
                List.of(),
                20,
                30,
                freshnessP99Millis,
                freshnessP99Millis,
                1,
                new LoopObserver.Accounting(records, tokens),
                0);
    }
}
