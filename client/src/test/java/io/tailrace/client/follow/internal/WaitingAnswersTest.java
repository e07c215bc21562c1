package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingAnswersTest {
    @Test
    void theLaneThatHoldsTheMostLosesItsOldest() {
        int[] ten = new int[10];
        long weight = 10 + WaitingAnswers.ANSWER_TOKENS;
        WaitingAnswers waiting = new WaitingAnswers(4 * weight);
        waiting.add("B", input(1, ten));
        for (int i = 2; i < 7; i++) {
            waiting.add("A", input(i, ten));
        }
        assertThat(waiting.dropped()).isEqualTo(2);
        var taken = waiting.take();
        assertThat(waiting.tokens()).isZero();
        waiting.add("A", input(7, ten));
        waiting.putBack("A", taken.get("A"));
        waiting.putBack("B", taken.get("B"));
        assertThat(times(waiting.take().get("A"))).containsExactly(5L, 6L, 7L);
        assertThat(waiting.dropped()).isEqualTo(3);
    }

    private static Compaction.Input input(long completedAtMillis, int[] tokens) {
        return new Compaction.Input(new GenerationEntry(0, completedAtMillis, "engine", completedAtMillis), tokens);
    }

    private static List<Long> times(List<Compaction.Input> answers) {
        return answers.stream()
                .map(answer -> answer.entry().completedAtMillis())
                .toList();
    }
}
