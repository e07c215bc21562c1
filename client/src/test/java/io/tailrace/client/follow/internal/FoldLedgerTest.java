package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.FoldLedger.FOLDED_AFTER_MILLIS;
import static io.tailrace.client.follow.internal.FoldLedger.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.RequestHash;
import org.junit.jupiter.api.Test;

class FoldLedgerTest {
    private static final long LATER = 1L << 40;

    private final FoldLedger ledger = new FoldLedger();

    @Test
    void generationGoesWhenItAndAllOlderOnesAreFolded() {
        add(10, 20, 30);
        assertThat(fold(20)).as("10 is not in a snapshot yet").isEqualTo(NOTHING);
        assertThat(fold(10)).isEqualTo(20);
        assertThat(fold(30)).isEqualTo(30);
        assertThat(ledger.size()).isZero();
    }

    @Test
    void unfoldedGenerationGoesOnceMuchYoungerOnesAreFolded() {
        add(10, 20);
        assertThat(fold(10 + FOLDED_AFTER_MILLIS)).isEqualTo(NOTHING);
        assertThat(fold(11 + FOLDED_AFTER_MILLIS)).isEqualTo(10);
    }

    @Test
    void manifestWithoutTimesFoldsNothing() {
        add(10);
        assertThat(fold()).isEqualTo(NOTHING);
    }

    @Test
    void aTimeThatIsYetToComeFoldsWhatItNamesAndNoMore() {
        long now = 10 + FOLDED_AFTER_MILLIS;
        add(10, now + 20);
        assertThat(ledger.fold(new long[] {now + 20, Long.MAX_VALUE}, now)).isEqualTo(NOTHING);
        assertThat(ledger.isPast(10)).isFalse();
        assertThat(ledger.fold(new long[] {10}, now)).isEqualTo(now + 20);
    }

    @Test
    void generationsOfOneMillisecondGoTogether() {
        add(10, 10, 20);
        assertThat(fold(10)).isEqualTo(NOTHING);
        assertThat(fold(10)).isEqualTo(10);
    }

    @Test
    void generationsThatFinishOutOfOrderAreKeptInOrder() {
        add(30, 10, 20);
        assertThat(fold(10, 20)).isEqualTo(20);
    }

    @Test
    void forgottenRequestGoesWithThoseBeforeIt() {
        add(10, 20, 30);
        assertThat(ledger.forget(RequestHash.of("20"))).isEqualTo(20);
        assertThat(ledger.forget(RequestHash.of("unknown"))).isEqualTo(NOTHING);
        assertThat(ledger.size()).isEqualTo(1);
    }

    @Test
    void forgottenRequestGoesThoughAnotherEndedInItsMillisecond() {
        add(10, 20);
        ledger.add(20, RequestHash.of("other"), 1);
        add(30);
        assertThat(ledger.forget(RequestHash.of("20"))).isEqualTo(20);
        assertThat(ledger.size()).isEqualTo(1);
    }

    @Test
    void forgettingUntilATimeTakesAllUntilThen() {
        add(10, 20, 30);
        ledger.forgetUntil(25);
        assertThat(ledger.size()).isEqualTo(1);
        ledger.forgetUntil(5);
        assertThat(ledger.size()).isEqualTo(1);
    }

    @Test
    void entriesAreBoundedAndWhatTheyNoLongerNameIsDropped() {
        for (int i = 0; i < FoldLedger.ENTRIES_MAX; i++) {
            assertThat(ledger.add(10 + i, RequestHash.of("any"), 2)).isEqualTo(NOTHING);
        }
        assertThat(ledger.add(5, RequestHash.of("one more, older than all"), 2))
                .isEqualTo(10 + FoldLedger.ENTRIES_MAX / 2 - 2);
        assertThat(ledger.size()).isEqualTo(FoldLedger.ENTRIES_MAX / 2 + 1);
        assertThat(ledger.tokens()).isEqualTo(2L * ledger.size());
    }

    @Test
    void theOldestGoUntilSoMuchIsGone() {
        add(10, 20, 30, 40);
        assertThat(ledger.dropOldest(0, 0)).isEqualTo(NOTHING);
        assertThat(ledger.dropOldest(17, 16))
                .as("one token and what it takes besides")
                .isEqualTo(10);
        assertThat(ledger.dropOldest(2, 0)).isEqualTo(30);
        assertThat(ledger.tokens()).isEqualTo(1);
        assertThat(ledger.dropOldest(100, 0)).isEqualTo(40);
        assertThat(ledger.dropOldest(100, 0)).as("none is left").isEqualTo(NOTHING);
        assertThat(ledger.knows(RequestHash.of("10"))).isTrue();
    }

    @Test
    void requestsAreKnownWhileTheyAreHereAndForAWhileAfter() {
        add(1, 2);
        fold(1, 2);
        assertThat(ledger.size()).isZero();
        assertThat(ledger.knows(RequestHash.of("1"))).isTrue();
        for (int i = 0; i < FoldLedger.GONE_MAX; i++) {
            add(10 + i);
            fold(10 + i);
        }
        assertThat(ledger.knows(RequestHash.of("1"))).isFalse();
        assertThat(ledger.knows(RequestHash.of(Integer.toString(9 + FoldLedger.GONE_MAX))))
                .isTrue();
    }

    private void add(long... times) {
        for (long time : times) {
            ledger.add(time, RequestHash.of(Long.toString(time)), 1);
        }
    }

    private long fold(long... times) {
        return ledger.fold(times, LATER);
    }
}
