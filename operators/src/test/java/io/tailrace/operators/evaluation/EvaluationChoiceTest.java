package io.tailrace.operators.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EvaluationChoiceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "own-context",
                "budget-8",
                "budget-31",
                "newest-only",
                "without-oldest",
                "none",
                "prompt-lookup",
                "prompt-lookup:ngram=2:tokens=5",
                "suffix-decoding",
                "suffix-decoding:tree=true:offset=8",
                "sam-decoding",
                "token-recycling:observed=true",
            })
    void whatAEvaluationCanRunIsTakenByItsName(String name) {
        EvaluationChoice choice = new EvaluationChoice(name);
        assertThat(choice).hasToString(name).isEqualTo(new EvaluationChoice(name));
        assertThat(choice.counted(null)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "budget-9, without-oldest]",
        "budget-9, no strategy is named budget-9",
        "sam-decoding:speed=1, has no parameter speed",
        "adaptive, adaptive is the live strategy",
        "adaptive:tree=false, is the live strategy",
        "token-recycling, token-recycling:observed=true",
        "'', no strategy is named",
    })
    void whatItCannotIsRefusedAndWhatItCanIsNamed(String name, String message) {
        assertThatThrownBy(() -> new EvaluationChoice(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void lessMemoryKnowsOnlyTheTokensThatItHolds() {
        LaneIndex live = new LaneIndex(List.of(said(7, 5), said(8, 4)), said(9, 3), null);
        assertThat(popular(EvaluationChoice.Variant.BUDGET_8.index(live))).containsExactly(7, 8, 9);
        assertThat(popular(EvaluationChoice.Variant.WITHOUT_OLDEST.index(live))).containsExactly(8, 9);
        assertThat(popular(EvaluationChoice.Variant.NEWEST_ONLY.index(live))).containsExactly(9);
    }

    private static FreshIndex said(int token, int times) {
        return FreshIndex.of(
                List.of(IntStream.generate(() -> token).limit(times).toArray()));
    }

    private static List<Integer> popular(LaneIndex index) {
        return IntStream.range(0, index.vocabulary().popularTokens())
                .mapToObj(index.vocabulary()::popularToken)
                .toList();
    }

    @Test
    void onlyChoicesOfTheLiveStrategyLearnWeights() {
        assertThat(EvaluationChoice.BUDGET_8.counted(null).learned()).isNotEmpty();
        assertThat(new EvaluationChoice("suffix-decoding").counted(null).learned())
                .isNull();
    }
}
