package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;
import io.tailrace.suffix.learn.WeightMean;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica counts beside what is live. */
final class ReplicaChoicesTest {
    private static final long SEED = 20_261_122L;
    private static final int BUDGET = 16;
    private static final List<String> LEARNING =
            List.of("own-context", "budget-8", "budget-31", "newest-only", "without-oldest");
    private static final float[] DEFAULTS = Mixer.defaults().weights();

    private final Random random = new Random(SEED);
    private final int[][] phrases =
            Stream.generate(() -> random.ints(12, 3, 900).toArray()).limit(12).toArray(int[][]::new);
    private final LaneIndex index = new LaneIndex(
            List.of(FreshIndex.of(answers(20)), FreshIndex.of(answers(20))), FreshIndex.of(answers(10)), null);
    private long offset;

    /** Phrases in any order, strange tokens between them. */
    private int[] answer() {
        return IntStream.range(0, 6)
                .boxed()
                .flatMapToInt(i -> IntStream.concat(
                        Arrays.stream(phrases[random.nextInt(phrases.length)]), random.ints(random.nextInt(3), 3, 900)))
                .toArray();
    }

    private List<int[]> answers(int count) {
        return Stream.generate(this::answer).limit(count).toList();
    }

    private List<EvaluationSample> samples(int count) {
        return answers(count).stream()
                .map(answer -> new EvaluationSample(LANE, 0, 1_000 + offset, new int[] {1, 2}, answer, 0, ++offset))
                .toList();
    }

    private static Replica replica(Replica.State state, List<String> names) {
        return new Replica(
                state,
                new Evaluator.Options(
                        1, 3, names.stream().map(EvaluationChoice::new).toList()));
    }

    private void evaluate(Replica replica, List<EvaluationSample> samples, boolean alarm) {
        samples.forEach(sample -> replica.evaluate(sample, index, BUDGET, null, alarm));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "prompt-lookup",
                "suffix-decoding",
                "suffix-decoding:tree=true:factor=1000",
                "sam-decoding",
                "token-recycling:observed=true"
            })
    void aStrategyIsCountedAsItsDrafterDraftsWithinTheLiveBudget(String name) {
        List<EvaluationSample> samples = samples(30);
        Replica replica = replica(new Replica.State(), List.of(name));
        evaluate(replica, samples, false);
        Drafter drafter = StrategyChoice.parse(name).drafter(new float[0]);
        GenerationReplay dull = new GenerationReplay();
        LearningReport.Totals expected = LearningReport.Totals.ZERO;
        for (EvaluationSample sample : samples) {
            dull.run(drafter, sample.prompt(), sample.response(), index, BUDGET);
            expected = expected.plus(new LearningReport.Totals(
                    1, sample.response().length, dull.steps(), dull.drafted(), dull.accepted()));
        }
        LearningReport report = replica.report(LANE, 0);
        assertThat(report.choices()).containsOnly(Map.entry(name, expected));
        assertThat(report.choicesLive()).containsOnly(Map.entry(name, report.totals()));
        assertThat(expected.steps() == expected.responseTokens())
                .as("only plain decoding takes a step a token")
                .isEqualTo(name.equals("none"));
    }

    @Test
    void aReplicaThatHasEvaluatedNothingReportsNoWeights() {
        LearningReport report = replica(new Replica.State(), List.of()).report(LANE, 0);
        assertThat(report.weights()).isEmpty();
        assertThat(report.evidence()).isZero();
    }

    @Test
    void otherBudgetsAndLessMemoryGiveWhatTheySay() {
        List<EvaluationSample> samples = samples(60);
        Replica replica = replica(new Replica.State(), LEARNING);
        evaluate(replica, samples, false);
        Map<String, LearningReport.Totals> choices = replica.report(LANE, 0).choices();
        long live = replica.report(LANE, 0).totals().accepted();
        assertThat(choices.get("budget-8").accepted()).as("seed %d", SEED).isLessThan(live);
        assertThat(choices.get("budget-31").accepted()).isGreaterThan(live);
        assertThat(choices.get("own-context").accepted())
                .isLessThan(choices.get("newest-only").accepted());
        assertThat(choices.get("newest-only").accepted()).isLessThan(live);
    }

    /** Asked for later, a choice has seen other traffic than the live figure has. */
    @Test
    void aChoiceStandsBesideWhatTheLiveOneGaveOnTheSameGenerations() {
        Replica before = replica(new Replica.State(), List.of());
        evaluate(before, samples(40), false);
        Replica.State state = before.state();
        Replica after = replica(state, List.of("none", "budget-8"));
        List<EvaluationSample> later = samples(25);
        evaluate(after, later, false);
        LearningReport report = after.report(LANE, 0);
        assertThat(report.totals().generations()).isEqualTo(65);
        long tokens =
                later.stream().mapToLong(sample -> sample.response().length).sum();
        for (String name : List.of("none", "budget-8")) {
            LearningReport.Totals live = report.choicesLive().get(name);
            assertThat(live.plus(state.totals)).isEqualTo(report.totals());
            assertThat(live.responseTokens()).isEqualTo(tokens);
            assertThat(report.choices().get(name).generations()).isEqualTo(25);
            assertThat(report.choices().get(name).responseTokens()).isEqualTo(tokens);
        }
    }

    @Test
    void whatChoicesHaveLearnedAndCountedGoesOnAfterRestores() {
        List<String> names = Stream.concat(LEARNING.stream(), Stream.of("suffix-decoding", "sam-decoding", "none"))
                .toList();
        Replica whole = replica(new Replica.State(), names);
        Replica restored = replica(new Replica.State(), names);
        for (int i = 0; i < 12; i++) {
            List<EvaluationSample> samples = samples(5);
            boolean alarm = i % 4 == 1;
            evaluate(whole, samples, alarm);
            evaluate(restored, samples, alarm);
            restored = replica(restored.state(), names);
        }
        Replica.State expected = whole.state();
        Replica.State state = restored.state();
        assertThat(state.choicesLearned).containsOnlyKeys(LEARNING);
        state.choicesLearned.forEach((name, learned) -> assertThat(learned)
                .as("%s, seed %d", name, SEED)
                .isEqualTo(expected.choicesLearned.get(name))
                .isNotEqualTo(Mixer.defaults().learned())
                .isNotEqualTo(state.learned));
        assertThat(state.learned).isEqualTo(expected.learned);
        assertThat(exact(state.choices)).isEqualTo(exact(expected.choices)).hasSameSizeAs(names);
        assertThat(exact(state.choicesLive)).isEqualTo(exact(expected.choicesLive));
    }

    @Test
    void aChoiceDraftsFromTheVersionThatIsLiveNow() {
        LaneIndex later = new LaneIndex(
                List.of(FreshIndex.of(answers(15)), FreshIndex.of(answers(15))), FreshIndex.of(answers(5)), null);
        Replica whole = replica(new Replica.State(), LEARNING);
        evaluate(whole, samples(10), false);
        Replica restored = replica(whole.state(), LEARNING);
        for (EvaluationSample sample : samples(10)) {
            whole.evaluate(sample, later, BUDGET, null, false);
            restored.evaluate(sample, later, BUDGET, null, false);
        }
        assertThat(exact(whole.state().choices)).isEqualTo(exact(restored.state().choices));
        assertThat(whole.state().choicesLearned.get("newest-only"))
                .isEqualTo(restored.state().choicesLearned.get("newest-only"));
    }

    /** All but what is extrapolated, which depends on when counting began. */
    private static Map<String, LearningReport.Totals> exact(Map<String, LearningReport.Totals> totals) {
        Map<String, LearningReport.Totals> exact = new HashMap<>();
        totals.forEach((name, of) -> exact.put(
                name, new LearningReport.Totals(of.generations(), of.responseTokens(), of.steps(), 0, of.accepted())));
        return exact;
    }

    @Test
    void underAnAlarmChoicesLearnFasterAsTheLiveWeightsDo() {
        List<EvaluationSample> samples = samples(10);
        Replica calm = replica(new Replica.State(), LEARNING);
        Replica alarmed = replica(new Replica.State(), LEARNING);
        evaluate(calm, samples, false);
        evaluate(alarmed, samples, true);
        assertThat(moved(alarmed.state().learned)).as("seed %d", SEED).isGreaterThan(1.5 * moved(calm.state().learned));
        LEARNING.forEach(name -> assertThat(moved(alarmed.state().choicesLearned.get(name)))
                .as("%s, seed %d", name, SEED)
                .isGreaterThan(1.5 * moved(calm.state().choicesLearned.get(name))));
    }

    private static double moved(float[] learned) {
        return WeightMean.distance(Mixer.weightsOf(learned), DEFAULTS);
    }

    @Test
    void aChoiceThatIsNewBeginsWithTheLiveWeightsAndNotWithAnOldLag() {
        Replica before = replica(new Replica.State(), List.of());
        evaluate(before, samples(20), false);
        Replica after = replica(before.state(), List.of("budget-8"));
        evaluate(after, List.of(new EvaluationSample(LANE, 0, 1, new int[0], new int[] {7}, 0, ++offset)), false);
        assertThat(after.state().choicesLearned.get("budget-8"))
                .as("nothing can be learned of one token")
                .isEqualTo(before.state().learned)
                .isNotEqualTo(Mixer.defaults().learned());
    }

    @Test
    void aChoiceThatIsNotAskedForAnyMoreIsForgotten() {
        Replica before = replica(new Replica.State(), List.of("budget-8", "own-context"));
        evaluate(before, samples(10), false);
        Replica.State state = replica(before.state(), List.of("own-context")).state();
        assertThat(state.choices).containsOnlyKeys("own-context");
        assertThat(state.choicesLive).containsOnlyKeys("own-context");
        assertThat(state.choicesLearned).containsOnlyKeys("own-context");
    }
}
