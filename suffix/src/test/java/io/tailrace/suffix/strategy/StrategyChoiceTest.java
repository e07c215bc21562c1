package io.tailrace.suffix.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Drafter;
import org.junit.jupiter.api.Test;

class StrategyChoiceTest {
    @Test
    void aloneTheModuleKnowsItsOwnStrategiesAndListsThemWhereAnotherIsNamed() {
        assertThat(Strategy.all()).containsExactly(Strategy.ADAPTIVE, Strategy.NONE);
        assertThatThrownBy(() -> StrategyChoice.parse("sam-decoding"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no strategy is named sam-decoding; there are adaptive, none");
    }

    @Test
    void noneDraftsNothing() {
        Drafter drafter = StrategyChoice.parse("none").drafter(new float[0]);
        drafter.begin(new int[] {1, 1, 1, 1}, 4);
        assertThat(drafter.draft(LaneIndex.EMPTY, 16).size()).isZero();
    }

    @Test
    void adaptiveDraftsWhatTheContextSaidBefore() {
        Drafter drafter = StrategyChoice.parse("adaptive:tree=false").drafter(new float[0]);
        drafter.begin(new int[] {1, 2, 3, 4, 1, 2, 3, 4, 1, 2}, 10);
        assertThat(drafter.draft(LaneIndex.EMPTY, 16).token(0)).isEqualTo(3);
    }

    @Test
    void aParameterOfAnotherStrategyIsRefused() {
        assertThatThrownBy(() -> StrategyChoice.parse("none:floor=0"))
                .hasMessage("strategy none has no parameter floor; it has none");
        assertThatThrownBy(() -> StrategyChoice.parse("adaptive:bias=1"))
                .hasMessage("strategy adaptive has no parameter bias; it has floor, tree, candidates, own, said,"
                        + " gapped, aligned, similar, popular, token");
    }
}
