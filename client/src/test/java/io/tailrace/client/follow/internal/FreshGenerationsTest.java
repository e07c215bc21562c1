package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FreshGenerationsTest {
    private static final long LATER = 1L << 40;

    private final FreshGenerations fresh = new FreshGenerations(1_000_000);

    @Test
    void aDeletedRequestIsForgottenThoughManyShortOnesCameSince() {
        fresh.add(RequestHash.of("deleted"), RememberedAnswer.of(new int[] {1, 2, 3}), 1_000);
        for (int i = 0; i < FoldLedger.ENTRIES_MAX; i++) {
            fresh.add(RequestHash.of("r" + i), RememberedAnswer.of(new int[] {5, 6}), 2_000 + i);
        }
        fresh.forget("deleted", 1_000_000);
        assertThat(held(fresh)).hasSizeGreaterThan(FoldLedger.ENTRIES_MAX / 4).noneMatch(tokens -> tokens[0] == 1);
    }

    @Test
    void anAnswerThatComesAfterItsDeleteIsNotTakenUp() {
        fresh.forget("deleted", 2_000);
        fresh.add(RequestHash.of("deleted"), RememberedAnswer.of(new int[] {1}), 1_999);
        fresh.forgetUntil(3_000);
        fresh.add(RequestHash.of("any"), RememberedAnswer.of(new int[] {2}), 3_000);
        fresh.add(RequestHash.of("deleted"), RememberedAnswer.of(new int[] {3}), 3_001);
        assertThat(held(fresh)).containsExactly(new int[] {3});
    }

    @Test
    void deletesAreBounded() {
        fresh.forget("first", 2_000);
        for (int i = 0; i < FreshGenerations.DELETES_MAX; i++) {
            fresh.forget("r" + i, 2_000);
        }
        fresh.add(RequestHash.of("first"), RememberedAnswer.of(new int[] {1}), 1_000);
        fresh.add(RequestHash.of("r0"), RememberedAnswer.of(new int[] {2}), 1_000);
        assertThat(held(fresh)).containsExactly(new int[] {1});
    }

    @Test
    void anAnswerThatComesTwiceIsTakenUpOnceAlsoWhenASnapshotHasItBetween() {
        assertThat(fresh.add(RequestHash.of("a"), RememberedAnswer.of(new int[] {1}), 1_000))
                .isTrue();
        assertThat(fresh.add(RequestHash.of("a"), RememberedAnswer.of(new int[] {1}), 1_000))
                .isFalse();
        assertThat(held(fresh)).hasSize(1);
        fresh.folded(new long[] {1_000}, LATER);
        assertThat(fresh.add(RequestHash.of("a"), RememberedAnswer.of(new int[] {1}), 1_000))
                .isFalse();
        assertThat(held(fresh)).isEmpty();
    }

    @Test
    void anAnswerThatComesLongAfterASnapshotMustHaveItIsLeftOut() {
        fresh.folded(new long[] {1_000_000}, LATER);
        long certain = 1_000_000 - FoldLedger.FOLDED_AFTER_MILLIS;
        assertThat(fresh.add(RequestHash.of("late"), RememberedAnswer.of(new int[] {1}), certain - 1))
                .isFalse();
        assertThat(fresh.add(RequestHash.of("later"), RememberedAnswer.of(new int[] {1}), certain))
                .isTrue();
    }

    @Test
    void withoutRoomNothingIsTakenUp() {
        FreshGenerations none = new FreshGenerations(0);
        assertThat(none.add(RequestHash.of("a"), RememberedAnswer.of(new int[] {1}), 1_000))
                .isFalse();
        assertThat(none.index()).isNull();
    }

    @Test
    void aboveItsLimitALaneGivesUpTheOldestAndCountsThem() {
        FreshGenerations some = new FreshGenerations(80);
        for (int i = 0; i < 8; i++) {
            some.add(RequestHash.of("r" + i), RememberedAnswer.of(new int[] {i, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 1_000 - i);
        }
        assertThat(some.tokens()).isEqualTo(80);
        assertThat(some.givenUp()).isZero();
        some.add(RequestHash.of("one more"), RememberedAnswer.of(new int[] {8, 1, 2}), 2_000);
        assertThat(held(some)).extracting(tokens -> tokens[0]).containsExactly(0, 1, 2, 3, 4, 5, 8);
        assertThat(some.tokens()).as("an eighth is freed").isEqualTo(63);
        assertThat(some.givenUp()).isEqualTo(20);
        assertThat(some.held()).isEqualTo(63 + 7 * FreshGenerations.ANSWER_TOKENS);
    }

    /** A token counts as 8 bytes. What the ledger has of an answer is an estimate. */
    @Test
    void anAnswerIsCountedWithItsSignatureAndItsPostings() {
        long ledgerBytes = 130;
        long signatureBytes = 32 + PromptSignature.BYTES_MAX;
        for (int answers = 1; answers <= FoldLedger.ENTRIES_MAX; answers *= 2) {
            long postingsBytes = SignaturePostings.bytesMax(answers) / answers;
            assertThat(ledgerBytes + signatureBytes + postingsBytes)
                    .as("%d answers", answers)
                    .isLessThanOrEqualTo(8 * FreshGenerations.ANSWER_TOKENS);
        }
    }

    @Test
    void anAnswerLongerThanTheLimitIsNotTakenUp() {
        FreshGenerations few = new FreshGenerations(3);
        assertThat(few.add(RequestHash.of("a"), RememberedAnswer.of(new int[] {1, 2, 3}), 1_000))
                .isTrue();
        assertThat(few.add(RequestHash.of("b"), RememberedAnswer.of(new int[] {1, 2, 3, 4}), 2_000))
                .isFalse();
        assertThat(few.tokens()).isEqualTo(3);
    }

    /** Answers of few milliseconds, folds and deletes at random: what was deleted is never held. */
    @Test
    void nothingDeletedIsEverHeld() {
        long heldInAll = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FreshGenerations each = new FreshGenerations(1_000);
            Map<Integer, Long> completed = new HashMap<>();
            Map<Integer, Long> deleted = new HashMap<>();
            long allDeleted = -1;
            for (int step = 0; step < 40; step++) {
                long now = step / 4L + random.nextInt(3);
                int request = random.nextInt(40);
                switch (random.nextInt(8)) {
                    case 0, 1 -> {
                        each.forget("r" + request, now);
                        deleted.merge(request, now, Math::max);
                    }
                    case 2 -> each.folded(new long[] {now}, LATER);
                    case 3 -> {
                        long until = random.nextInt(4) == 0 ? now : -1;
                        each.forgetUntil(until);
                        allDeleted = Math.max(allDeleted, until);
                    }
                    default -> {
                        if (completed.putIfAbsent(request, now) == null) {
                            each.add(RequestHash.of("r" + request), RememberedAnswer.of(new int[] {request}), now);
                        }
                    }
                }
                for (int[] held : held(each)) {
                    assertThat(completed.get(held[0]))
                            .as("seed %d, step %d, request %d", seed, step, held[0])
                            .isGreaterThan(Math.max(allDeleted, deleted.getOrDefault(held[0], -1L)));
                }
                assertThat(each.held())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(held(each).size() * (1L + FreshGenerations.ANSWER_TOKENS));
                heldInAll += held(each).size();
            }
        }
        assertThat(heldInAll).as("something was held").isGreaterThan(10_000);
    }

    /** Against a list: once a clock that is ahead at times has been put right nothing is later than it, for the index as well as the ledger. */
    @Test
    void whatAClockThatWasAheadHasStampedCountsAsCompletedNow() {
        for (long seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            FreshGenerations each = new FreshGenerations(1_000);
            Map<Integer, Long> twin = new HashMap<>();
            long deletedUntil = -1;
            long now = 1_000_000;
            for (int step = 0; step < 40; step++) {
                now += random.nextInt(20_000);
                switch (random.nextInt(4)) {
                    case 0 -> {
                        each.lookAtClock(now);
                        capIfAhead(twin, now);
                    }
                    case 1 -> {
                        long until = now - random.nextInt(20_000);
                        each.forgetUntil(until);
                        twin.values().removeIf(time -> time <= until);
                        deletedUntil = Math.max(deletedUntil, until);
                    }
                    default -> {
                        long time = now + (random.nextInt(3) == 0 ? random.nextInt(200_000) : 0);
                        each.add(RequestHash.of("r" + step), RememberedAnswer.of(new int[] {step}), time);
                        if (time > deletedUntil) {
                            twin.put(step, time);
                        }
                    }
                }
                assertThat(held(each))
                        .as("seed %d, step %d", seed, step)
                        .extracting(tokens -> tokens[0])
                        .containsExactlyInAnyOrderElementsOf(twin.keySet());
                assertThat(each.held())
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(twin.size() * (1L + FreshGenerations.ANSWER_TOKENS));
            }
        }
    }

    private static void capIfAhead(Map<Integer, Long> times, long now) {
        if (times.values().stream().anyMatch(time -> time > now + VersionChoice.CLOCK_SKEW_MILLIS)) {
            times.replaceAll((request, time) -> Math.min(time, now));
        }
    }

    private static List<int[]> held(FreshGenerations fresh) {
        return ((FreshIndex) fresh.index())
                .answers().stream().map(RememberedAnswer::tokens).toList();
    }
}
