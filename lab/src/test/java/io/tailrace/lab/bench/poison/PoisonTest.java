package io.tailrace.lab.bench.poison;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.bench.poison.PoisonedReplay.Dose;
import io.tailrace.lab.bench.poison.PoisonedReplay.Served;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.RememberedAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoisonTest {
    private static final int REQUESTS = 150;
    private static final int VOCABULARY = 1_000;
    private static final Quotas NO_QUOTA = new Quotas(Quotas.Kind.NONE, 0);

    private final PoisonedReplay replay = new PoisonedReplay(traffic(), 16, 10);
    private final Served clean = replay.run(Optional.empty(), NO_QUOTA);

    @ParameterizedTest
    @EnumSource
    void aFloodChangesNothingBeforeItBegins(Flood flood) {
        Served poisoned = replay.run(Optional.of(new Dose(flood, 4, 1)), NO_QUOTA);
        int to = replay.floodFrom() + 1;
        assertThat(Arrays.copyOf(poisoned.accepted(), to)).isEqualTo(Arrays.copyOf(clean.accepted(), to));
        assertThat(poisoned.junkAdmitted()).isEqualTo(4 * (replay.floodTo() - replay.floodFrom()));
        assertThat(poisoned.honestRefused()).isZero();
    }

    @Test
    void noJunkIsNoDamage() {
        Served none = replay.run(Optional.of(new Dose(Flood.ALTERED, 0, 1)), NO_QUOTA);
        assertThat(Damage.of(clean, none, replay.floodFrom(), replay.floodTo())).isEqualTo(new Damage(0, 0, 0));
    }

    @Test
    void alteredAnswersCostMoreThanRandomTokens() {
        assertThat(lost(Flood.ALTERED)).isGreaterThan(lost(Flood.RANDOM) + 0.02);
    }

    @Test
    void aQuotaOfTheScopeAlsoRefusesTheHonestAndOneOfEachProducerDoesNot() {
        // enough for all honest answers, which come in a quarter of a minute, and not for the flood besides
        double quota = 0.3 * replay.tokensPerMinute();
        Optional<Dose> dose = Optional.of(new Dose(Flood.RANDOM, 16, 1));
        Served scope = replay.run(dose, new Quotas(Quotas.Kind.SCOPE, quota));
        assertThat(scope.junkAdmitted()).isPositive().isLessThan(16 * REQUESTS / 3);
        assertThat(scope.honestRefused()).isPositive();
        Served producer = replay.run(dose, new Quotas(Quotas.Kind.PRODUCER, quota));
        assertThat(producer.junkAdmitted()).isPositive().isLessThan(16 * REQUESTS / 3);
        assertThat(producer.honestRefused()).isZero();
    }

    @Test
    void anAlteredAnswerHasTrueTokensBetweenWrongOnes() {
        List<ReplayCase> known = traffic().subList(0, 5);
        SplittableRandom random = new SplittableRandom(3);
        for (int run = 0; run < 100; run++) {
            RememberedAnswer junk = Flood.ALTERED.next(known, VOCABULARY, random);
            int[] least = known.stream()
                    .map(request -> IntStream.range(0, request.response().length)
                            .filter(at -> request.response()[at] != junk.tokens()[at])
                            .toArray())
                    .min((one, other) -> Integer.compare(one.length, other.length))
                    .orElseThrow();
            assertThat(least).hasSize(junk.tokens().length / 2);
            assertThat(IntStream.range(1, least.length).map(i -> least[i] - least[i - 1]))
                    .containsOnly(2);
        }
    }

    @Test
    void recoveryIsWhereEveryWindowFromThereOnHasNinetyFivePercent() {
        int[] steps = IntStream.generate(() -> 1).limit(120).toArray();
        int[] ten = IntStream.generate(() -> 10).limit(120).toArray();
        int[] hit = ten.clone();
        Arrays.fill(hit, 40, 90, 5);
        Damage damage = Damage.of(new Served(ten, steps, 0, 0), new Served(hit, steps, 0, 0), 40, 80);
        assertThat(damage.lostDuring()).isEqualTo(0.5);
        assertThat(damage.lostAfter()).isEqualTo(0.125);
        // two of twenty at one half are 95 %
        assertThat(damage.recoveredAfter()).isEqualTo(8);
    }

    @Test
    void aLuckyWindowIsNoRecovery() {
        int[] steps = IntStream.generate(() -> 1).limit(120).toArray();
        int[] ten = IntStream.generate(() -> 10).limit(120).toArray();
        int[] hit = ten.clone();
        Arrays.fill(hit, 100, 110, 5);
        Served clean = new Served(ten, steps, 0, 0);
        // the first 20 behind the flood have all that they had, and ten that come later have not
        assertThat(Damage.of(clean, new Served(hit, steps, 0, 0), 40, 70).recoveredAfter())
                .isNull();
        Arrays.fill(hit, 100, 110, 10);
        Arrays.fill(hit, 90, 93, 5);
        assertThat(Damage.of(clean, new Served(hit, steps, 0, 0), 40, 70).recoveredAfter())
                .isEqualTo(21);
    }

    @Test
    void whatIsNotBackInTheLastWindowIsNotBackInTheRecording() {
        int[] steps = IntStream.generate(() -> 1).limit(120).toArray();
        int[] ten = IntStream.generate(() -> 10).limit(120).toArray();
        int[] hit = ten.clone();
        Arrays.fill(hit, 117, 120, 5);
        assertThat(Damage.of(new Served(ten, steps, 0, 0), new Served(hit, steps, 0, 0), 40, 80)
                        .recoveredAfter())
                .isNull();
    }

    private double lost(Flood flood) {
        Served poisoned = replay.run(Optional.of(new Dose(flood, 16, 1)), NO_QUOTA);
        return Damage.of(clean, poisoned, replay.floodFrom(), replay.floodTo()).lostDuring();
    }

    /** Answers made of phrases that come again, in an order that does not. */
    private static List<ReplayCase> traffic() {
        SplittableRandom random = new SplittableRandom(5);
        int[][] phrases = new int[40][];
        Arrays.setAll(phrases, phrase -> random.ints(12, 0, VOCABULARY).toArray());
        List<ReplayCase> cases = new ArrayList<>();
        for (int request = 0; request < REQUESTS; request++) {
            int[] response = IntStream.range(0, 5)
                    .flatMap(part -> Arrays.stream(phrases[random.nextInt(phrases.length)]))
                    .toArray();
            cases.add(ReplayCase.of(random.ints(6, 0, VOCABULARY).toArray(), response));
        }
        return cases;
    }
}
