package io.tailrace.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoPromptsTest {
    @Test
    void noPromptComesTwice() {
        assertThat(DemoPrompts.of(DemoPrompts.COUNT_MAX))
                .hasSize(DemoPrompts.COUNT_MAX)
                .doesNotHaveDuplicates();
    }
}
