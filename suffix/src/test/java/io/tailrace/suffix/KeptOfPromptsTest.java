package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeptOfPromptsTest {
    private static final int[] PROMPT = {1, 2, 3, 4, 5};
    private static final int[] ANSWER = {6, 5, 6};

    private final KeptOfPrompts kept =
            KeptOfPrompts.parse(List.of("none=0", "much=32", "unsigned=4"), List.of("none=off", "unsigned=off"));

    @Test
    void anAnswerHasWhatItsScopeKeeps() {
        RememberedAnswer usual = kept.answer("usual", PROMPT, ANSWER);
        assertThat(usual.promptTail()).containsExactly(3, 4, 5);
        assertThat(usual.signature().size()).isPositive();
        assertThat(usual.copied().stream()).containsExactly(1, 2);
        assertThat(kept.answer("much", PROMPT, ANSWER).promptTail()).containsExactly(PROMPT);
        RememberedAnswer unsigned = kept.answer("unsigned", PROMPT, ANSWER);
        assertThat(unsigned.promptTail()).containsExactly(2, 3, 4, 5);
        assertUnsigned(unsigned);
        RememberedAnswer none = kept.answer("none", PROMPT, ANSWER);
        assertThat(none.promptTail()).isEmpty();
        assertUnsigned(none);
        assertThat(none.tokens()).containsExactly(ANSWER);
    }

    @Test
    void ofAnAnswerThatSomebodyElseMadeTheRestIsLeftOut() {
        RememberedAnswer whole = RememberedAnswer.of(PROMPT, 5, ANSWER);
        for (String scope : List.of("usual", "much", "unsigned", "none")) {
            RememberedAnswer cut = kept.cut(scope, whole);
            RememberedAnswer made = kept.answer(scope, PROMPT, ANSWER);
            assertThat(cut).isEqualTo(made);
            assertThat(cut.copied()).isEqualTo(made.copied());
            assertThat(cut.signature().bytes()).isEqualTo(made.signature().bytes());
            assertThat(kept.cut(scope, made)).isSameAs(made);
        }
        RememberedAnswer bare = RememberedAnswer.of(ANSWER);
        assertThat(kept.cut("none", bare)).isSameAs(bare);
    }

    @Test
    void whatIsSaidTwiceIsRefused() {
        List<String> twice = List.of("a=1", "a=2");
        assertThatThrownBy(() -> KeptOfPrompts.parse(twice, List.of())).hasMessageContaining("'a=2'");
        assertThat(KeptOfPrompts.parse(List.of(), List.of())).isEqualTo(KeptOfPrompts.usual());
    }

    private static void assertUnsigned(RememberedAnswer answer) {
        assertThat(answer.signature().size()).isZero();
        assertThat(answer.copied()).isNull();
    }
}
