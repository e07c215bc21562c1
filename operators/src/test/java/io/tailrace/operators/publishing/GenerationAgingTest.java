package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GenerationAgingTest {
    private static final long DAY = 86_400_000L;
    private static final long NOW = 1_700_000_000_000L;

    private static List<GenerationEntry> generations(long completedAt) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> {
                    RequestHash hash = RequestHash.of("request-" + i);
                    return new GenerationEntry(hash.high(), hash.low(), "worker", completedAt);
                })
                .toList();
    }

    private static long left(GenerationRetention.Aging aging, long completedAt) {
        return generations(completedAt).stream().filter(aging.negate()).count();
    }

    @Test
    void halfAreLeftAfterEachHalfLife() {
        GenerationRetention.Aging aging = new GenerationRetention.Aging(10 * DAY, List.of(), NOW);
        assertThat(left(aging, NOW)).isEqualTo(10_000);
        assertThat(left(aging, NOW - 10 * DAY)).isBetween(4_800L, 5_200L);
        assertThat(left(aging, NOW - 30 * DAY)).isBetween(1_100L, 1_400L);
    }

    @Test
    void whoIsGoneStaysGone() {
        GenerationRetention.Aging earlier = new GenerationRetention.Aging(10 * DAY, List.of(), NOW);
        GenerationRetention.Aging later = new GenerationRetention.Aging(10 * DAY, List.of(NOW), NOW + DAY);
        assertThat(generations(NOW - 5 * DAY).stream().filter(earlier)).allMatch(later);
    }

    @Test
    void afterAnAlarmWhatCameBeforeItAgesFasterForADay() {
        GenerationRetention.Aging aging = new GenerationRetention.Aging(10 * DAY, List.of(NOW - 2 * DAY), NOW);
        assertThat(aging.age(NOW - 3 * DAY)).isEqualTo(3 * DAY + (GenerationRetention.Aging.FACTOR - 1) * DAY);
        assertThat(aging.age(NOW - DAY)).isEqualTo(DAY);
    }

    @Test
    void withoutAHalfLifeNothingExpiresByIt() {
        assertThat(left(new GenerationRetention.Aging(0, List.of(), NOW), 0)).isEqualTo(10_000);
    }
}
