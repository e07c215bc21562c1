package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTopicsTest {
    @Test
    void boundTopicsBearTheirNameAndWorkersAreEverybodys() {
        ReportTopics everybodys = ReportTopics.everybodys("p-");
        assertThat(List.of(everybodys.generations(), everybodys.outcomes(), everybodys.workers()))
                .containsExactly("p-generations", "p-outcomes", "p-workers");
        ReportTopics bound = ReportTopics.bound("p-", "acme");
        assertThat(List.of(bound.generations(), bound.outcomes(), bound.workers()))
                .containsExactly("p-generations-acme", "p-outcomes-acme", "p-workers");
        assertThat(bound.named("generations")).isEqualTo("p-generations-acme");
        assertThat(bound.named("outcomes")).isEqualTo("p-outcomes-acme");
        assertThatThrownBy(() -> bound.named("workers")).hasMessageContaining("got 'workers'");
    }

    @Test
    void aNameThatIsNoneForATopicIsRefused() {
        for (String wrong : List.of("", "a/b", "a b", "a*", "x".repeat(101))) {
            assertThatThrownBy(() -> ReportTopics.bound("", wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got '" + wrong + "'");
        }
        assertThat(ReportTopics.bound("", "A.b_c-1").generations()).isEqualTo("generations-A.b_c-1");
    }
}
