package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ConfirmationsTest {
    private static final Action ACTION = new VersionAction(LaneId.parse("toy@1/acme"), Command.PIN, 7);

    private final AtomicLong clock = new AtomicLong(1_000);
    private final Confirmations confirmations = new Confirmations(clock::get);

    @Test
    void whatWasShownIsConfirmedOnce() {
        String token = confirmations.show("anna", ACTION);
        assertThat(confirmations.confirm("anna", token)).contains(ACTION);
        assertThat(confirmations.confirm("anna", token)).isEmpty();
    }

    @Test
    void nobodyConfirmsWhatAnotherWasShown() {
        String token = confirmations.show("anna", ACTION);
        assertThat(confirmations.confirm("bert", token)).isEmpty();
        assertThat(confirmations.confirm("anna", null)).isEmpty();
        assertThat(confirmations.confirm("anna", "")).isEmpty();
        assertThat(confirmations.confirm("anna", token)).contains(ACTION);
    }

    @Test
    void afterTenMinutesItMustBeLookedAtAgain() {
        String early = confirmations.show("anna", ACTION);
        clock.addAndGet(Confirmations.MILLIS_MAX);
        assertThat(confirmations.confirm("anna", early)).contains(ACTION);
        String late = confirmations.show("anna", ACTION);
        clock.addAndGet(Confirmations.MILLIS_MAX + 1);
        assertThat(confirmations.confirm("anna", late)).isEmpty();
    }

    @Test
    void tokensDifferAndTheOldestAreForgotten() {
        String first = confirmations.show("anna", ACTION);
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < Confirmations.MAX; i++) {
            tokens.add(confirmations.show("anna", ACTION));
        }
        assertThat(tokens).hasSize(Confirmations.MAX).doesNotContain(first).allMatch(token -> token.length() == 64);
        assertThat(confirmations.confirm("anna", first)).isEmpty();
        assertThat(confirmations.confirm("anna", tokens.iterator().next())).isPresent();
    }
}
