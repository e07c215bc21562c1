package io.tailrace.lab.replay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InputProfileTest {
    @Test
    void whatStandsInARunOfAnEarlierAnswerWasSeenBefore() {
        // Ten of the second answer's twenty tokens are the first one's middle; another scope's answer does not count.
        int[] second = IntStream.concat(IntStream.range(105, 115), IntStream.range(500, 510))
                .toArray();
        ReplayStream stream = new ReplayStream(
                "s",
                List.of(
                        answered("a", IntStream.range(100, 120).toArray()),
                        answered("a", second),
                        answered("b", second)),
                2);
        InputProfile profile = new InputProfile(List.of(stream), List.of());
        assertThat(profile.seenBefore()).isCloseTo(10.0 / 60, within(1e-9));
        assertThat(profile.figures())
                .contains(
                        new InputProfile.Figure("requests", "3"),
                        new InputProfile.Figure("sessions", "2"),
                        new InputProfile.Figure("scopes", "2"),
                        new InputProfile.Figure("answers given before, whole", "0.0 %"));
    }

    @Test
    void sevenTokensAreNoRun() {
        ReplayStream stream = new ReplayStream(
                "s",
                List.of(
                        answered("a", IntStream.range(0, 7).toArray()),
                        answered("a", IntStream.range(0, 7).toArray())));
        assertThat(new InputProfile(List.of(stream), List.of()).seenBefore()).isZero();
    }

    private static ReplayCase answered(String scope, int... response) {
        return new ReplayCase("w", scope, new int[0], response, false);
    }
}
