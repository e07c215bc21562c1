package io.tailrace.operators.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ProducerQuotasTest {
    private static final double QUOTA = 600;
    private static final long MINUTE = TokenQuota.MINUTE_MILLIS;
    private static final int LIVES = 300;
    private static final int STEPS = 400;

    private final ProducerQuotas quotas = new ProducerQuotas(QUOTA);

    private boolean take(String producer, int tokens, long at) {
        return quotas.of(producer, at).take(tokens, at);
    }

    /** A minute in which somebody came first, so that nobody who comes now was there before. */
    private void settle() {
        take("first", 1, 0);
        take("first", 1, MINUTE);
    }

    @Test
    void aFloodOfOneProducerTakesNothingFromAnother() {
        assertThat(take("honest", 300, 0)).isTrue();
        for (int i = 0; i < 1_000; i++) {
            take("flood", 100, i);
        }
        assertThat(take("flood", 100, 1_000)).isFalse();
        assertThat(take("honest", 300, 1_000)).isTrue();
    }

    @Test
    void inventedNamesShareOneBucketsWorthAtTheirBeginning() {
        settle();
        long admitted = 0;
        for (int name = 0; name < 10_000; name++) {
            while (take("invented-" + name, 1, MINUTE)) {
                admitted++;
            }
        }
        assertThat(admitted).isBetween((long) QUOTA / 2, (long) QUOTA);
        assertThat(quotas.names()).isEqualTo(ProducerQuotas.PRODUCERS_MAX);
    }

    @Test
    void namesBeyondTheLimitHaveOneBucketTogether() {
        settle();
        for (int name = 1; name < ProducerQuotas.PRODUCERS_MAX; name++) {
            take("known-" + name, 1, MINUTE);
        }
        long later = 3 * MINUTE;
        assertThat(take("beyond-1", (int) QUOTA, later)).isTrue();
        assertThat(take("beyond-2", 1, later)).isFalse();
        assertThat(take("known-1", (int) QUOTA, later))
                .as("one that has its own")
                .isTrue();
    }

    @Test
    void aNameThatWasSilentForLongMakesRoomAndTheOthersStay() {
        settle();
        for (int name = 1; name < ProducerQuotas.PRODUCERS_MAX; name++) {
            take("known-" + name, 1, MINUTE);
        }
        long later = MINUTE + ProducerQuotas.IDLE_MILLIS_MIN;
        for (int name = 2; name < ProducerQuotas.PRODUCERS_MAX; name++) {
            take("known-" + name, 1, later);
        }
        take("first", 1, later);
        assertThat(take("late", 1, later - 1)).as("from the shared one").isTrue();
        assertThat(quotas.of("late", later - 1)).isSameAs(quotas.of("later", later - 1));
        assertThat(quotas.of("late", later)).isNotSameAs(quotas.of("later", later));
        assertThat(quotas.names()).isEqualTo(ProducerQuotas.PRODUCERS_MAX);
        assertThat(take("known-2", (int) QUOTA - 1, later)).isTrue();
    }

    @Test
    void zeroMeansNoLimitAndNoNames() {
        ProducerQuotas none = new ProducerQuotas(0);
        for (int name = 0; name < 1_000; name++) {
            assertThat(none.of("p" + name, name).take(Integer.MAX_VALUE, name)).isTrue();
        }
        assertThat(none.names()).isZero();
    }

    /** The same with nothing kept but what was asked: each answer is worked out anew from the whole history. */
    private static final class DullQuotas {
        private record Asked(String bucket, long at, boolean halved, double taken) {}

        private final List<Asked> history = new ArrayList<>();
        private final Map<String, Long> lastUsed = new HashMap<>();
        private final List<String> silence = new ArrayList<>();
        private long begunAt = -1;
        private boolean settled;

        boolean take(String producer, int tokens, long at) {
            begunAt = begunAt < 0 ? at : begunAt;
            settled |= at - begunAt >= MINUTE;
            String bucket = bucket(producer, at);
            boolean covered = tokens <= held(bucket, at);
            history.add(new Asked(bucket, at, false, covered ? tokens : 0));
            return covered;
        }

        private String bucket(String producer, long at) {
            if (!silence.contains(producer)) {
                if (silence.size() == ProducerQuotas.PRODUCERS_MAX) {
                    String longest = silence.get(0);
                    if (at - lastUsed.get(longest) < ProducerQuotas.IDLE_MILLIS_MIN) {
                        return "";
                    }
                    silence.remove(0);
                    history.removeIf(asked -> asked.bucket().equals(longest));
                }
                double share = QUOTA;
                if (settled) {
                    share = held("", at) / 2;
                    history.add(new Asked("", at, true, 0));
                }
                history.add(new Asked(producer, at, false, QUOTA - share));
            }
            silence.remove(producer);
            silence.add(producer);
            lastUsed.put(producer, at);
            return producer;
        }

        private double held(String bucket, long now) {
            double held = QUOTA;
            long at = Long.MAX_VALUE;
            for (Asked asked : history) {
                if (asked.bucket().equals(bucket)) {
                    held = Math.min(QUOTA, held + QUOTA * Math.max(0, asked.at() - at) / MINUTE);
                    held = asked.halved() ? held / 2 : held - asked.taken();
                    at = asked.at();
                }
            }
            return Math.min(QUOTA, held + QUOTA * Math.max(0, now - at) / MINUTE);
        }
    }

    @Test
    void itDecidesAsADullTwinThatKeepsTheWholeHistory() {
        for (int seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            ProducerQuotas quick = new ProducerQuotas(QUOTA);
            DullQuotas dull = new DullQuotas();
            int names = random.nextBoolean() ? 5 : 3 * ProducerQuotas.PRODUCERS_MAX;
            long at = 0;
            for (int step = 0; step < STEPS; step++) {
                at += random.nextInt(20) == 0 ? random.nextInt(2 * (int) MINUTE) : random.nextInt(500);
                at += random.nextInt(200) == 0 ? ProducerQuotas.IDLE_MILLIS_MIN : 0;
                String producer = "p" + random.nextInt(names);
                int tokens = random.nextInt(random.nextInt(5) == 0 ? (int) QUOTA + 10 : 80);
                assertThat(quick.of(producer, at).take(tokens, at))
                        .as("seed %d, step %d: %s takes %d at %d", seed, step, producer, tokens, at)
                        .isEqualTo(dull.take(producer, tokens, at));
            }
        }
    }

    /** Whatever names are said, and when: no more comes in than so many producers together may bring, and the shared bucket besides. */
    @Test
    void whateverNamesAreInventedTheWholeIsBounded() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            ProducerQuotas quick = new ProducerQuotas(QUOTA);
            long admitted = 0;
            long at = 0;
            for (int step = 0; step < 50_000; step++) {
                at += random.nextInt(10);
                int tokens = 1 + random.nextInt((int) QUOTA);
                admitted += quick.of("p" + random.nextInt(1 << 20), at).take(tokens, at) ? tokens : 0;
            }
            double bound = (ProducerQuotas.PRODUCERS_MAX + 1) * QUOTA * (1 + (double) at / MINUTE);
            assertThat((double) admitted).as("seed %d", seed).isLessThanOrEqualTo(bound);
        }
    }
}
