package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NoLagTest {
    private static final int KINDS = 40;

    /** Three tokens of the prompt decide a short answer, of which the first is half. */
    @Test
    void answersToPromptsThatAreNotSentAreRememberedWithoutThem() {
        List<ReplayCase> requests = new ArrayList<>();
        Random random = new Random(3);
        for (int i = 0; i < 1_000; i++) {
            int kind = random.nextInt(KINDS);
            int[] prompt = {random.nextInt(10_000), 20_000 + kind, 30_000 + kind, 40_000 + kind};
            requests.add(ReplayCase.of(prompt, new int[] {50_000 + kind, 60_000 + kind}));
        }
        assertThat(accepted(NoLag.serve(requests, true))).isGreaterThan(0.9);
        assertThat(accepted(NoLag.serve(requests, false))).isLessThan(0.7);
    }

    private static double accepted(List<NoLag.Figure> figures) {
        return NoLag.acceptedPerStep(figures, figures.size() / 2, figures.size());
    }
}
