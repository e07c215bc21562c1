package io.tailrace.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.Strategy;
import io.tailrace.suffix.strategy.StrategyChoice;
import io.tailrace.suffix.strategy.StrategySettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StrategyTest {
    private static final int[] CONTEXT = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2};

    @Test
    void whatIsOnTheClassPathIsThereBesideTheProductsOwn() {
        assertThat(Strategy.names())
                .isEqualTo("adaptive, none, prompt-lookup, sam-decoding, suffix-decoding, token-recycling");
    }

    static List<Strategy> strategies() {
        return Strategy.all();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void everyStrategyIsFoundByItsNameAndMakesFreshDrafters(Strategy strategy) {
        assertThat(Strategy.named(strategy.name())).isSameAs(strategy);
        assertThat(strategy.description()).isNotBlank();
        Drafter first = strategy.drafter(StrategySettings.defaults());
        Drafter second = strategy.drafter(StrategySettings.defaults());
        assertThat(first).isNotSameAs(second);
        first.begin(CONTEXT, CONTEXT.length);
        assertThat(first.draft(LaneIndex.EMPTY, 4).size()).isBetween(0, 4);
    }

    @Test
    void candidatesAreWantedByWhatDraftsThemOnly() {
        assertThat(StrategyChoice.parse("adaptive").candidatesWanted()).isZero();
        assertThat(StrategyChoice.parse("adaptive:candidates=3").candidatesWanted())
                .isEqualTo(3);
        assertThat(StrategyChoice.parse("token-recycling").candidatesWanted()).isEqualTo(8);
        assertThat(StrategyChoice.parse("token-recycling:observed=true").candidatesWanted())
                .isZero();
        assertThat(StrategyChoice.parse("sam-decoding").candidatesWanted()).isZero();
    }

    @Test
    void parametersReachTheDrafter() {
        Drafter drafter = StrategyChoice.parse("prompt-lookup:tokens=2").drafter(new float[0]);
        drafter.begin(CONTEXT, CONTEXT.length);
        assertThat(drafter.draft(LaneIndex.EMPTY, 16).size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "nonsense, there are adaptive",
        "none:alpha=1, no parameter alpha",
        "prompt-lookup:tokens, PARAMETER=VALUE",
        "prompt-lookup:tokens=2:tokens=3, each parameter once",
        "prompt-lookup:tokens=0, tokens must be in",
        "prompt-lookup:tokens=1.5, whole number",
        "prompt-lookup:tokens=x, must be a number",
        "adaptive:floor=2, floor must be in",
        "adaptive:candidates=9, candidates must be in"
    })
    void whatCannotBeMadeIsRefusedWithTheRule(String text, String rule) {
        assertThatThrownBy(() -> StrategyChoice.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule);
    }

    @Test
    void flagsAreTrueOrFalse() {
        StrategySettings settings = new StrategySettings(new float[0], Map.of("tree", "false", "linear", "yes"));
        assertThat(settings.flag("tree", true)).isFalse();
        assertThat(settings.flag("absent", true)).isTrue();
        assertThatThrownBy(() -> settings.flag("linear", false)).hasMessageContaining("true or false");
    }
}
