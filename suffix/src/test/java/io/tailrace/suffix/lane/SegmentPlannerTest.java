package io.tailrace.suffix.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentPlannerTest {
    private static final SegmentPlanner PLANNER = new SegmentPlanner(100, 10_000);
    private static final int ROUNDS = 20_000;

    @ParameterizedTest(name = "{0} tokens, {1} ms, {2} older: graduates {3}")
    @CsvSource({
        "100,      0, 0, false", // at the limit, not above it
        "101,      0, 0, true",
        "101,      0, 2, true",
        "101,      0, 3, false", // no room
        "  1, 10_000, 0, false",
        "  1, 10_001, 0, true",
        "  1, 10_001, 3, false",
    })
    void theNewestGraduatesWhenLargeOrOldAndThereIsRoom(long tokens, String age, int older, boolean graduates) {
        assertThat(PLANNER.graduates(tokens, Long.parseLong(age.replace("_", "")), older))
                .isEqualTo(graduates);
    }

    @ParameterizedTest(name = "older {0}, newest {1} tokens, {2} ms: merges from {3}")
    @CsvSource({
        "900 300 100, 51,    0,  1", // as alike: the smaller pair
        "900 400 100, 51,    0,  0", // 2.25 against 4
        "900 200 100, 51,    0,  1", // 4.5 against 2
        "100 50 900,  51,    0,  0",
        "100 300 900, 51,    0,  0",
        "300 300 300, 51,    0,  0", // equal: the oldest pair, which is not touched again soon
        "100 300 900, 50,    0, -1", // not half full
        "100 300 900,  1, 5001,  0", // half its time is over
        "100 300,    500, 9999, -1", // room for one more
        "'',         500, 9999, -1",
    })
    void theNeighboursMostAlikeMergeInTimeForTheNextGraduation(String older, long newest, long age, int pair) {
        OptionalInt expected = pair < 0 ? OptionalInt.empty() : OptionalInt.of(pair);
        assertThat(PLANNER.pairToMerge(sizes(older), newest, age)).isEqualTo(expected);
    }

    @Test
    void aGrowingLaneKeepsThreeOlderSegmentsAndRewritesATokenAboutTheRootOfItsGraduations() {
        SplittableRandom random = new SplittableRandom(11);
        List<Long> older = new ArrayList<>();
        long newest = 0;
        long added = 0;
        long rewritten = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long flushed = random.nextLong(1, 31);
            OptionalInt pair = PLANNER.pairToMerge(
                    older.stream().mapToLong(Long::longValue).toArray(), newest, 0);
            if (pair.isPresent()) {
                long merged = older.remove(pair.getAsInt()) + older.remove(pair.getAsInt());
                older.add(pair.getAsInt(), merged);
                rewritten += merged;
            }
            if (PLANNER.graduates(newest, 0, older.size())) {
                older.add(newest);
                newest = 0;
            }
            newest += flushed;
            added += flushed;
            assertThat(older).hasSizeLessThanOrEqualTo(SegmentPlanner.OLDER_MAX);
            assertThat(newest).isLessThanOrEqualTo(PLANNER.newestTokensMax() + 60);
        }
        double graduations = (double) added / PLANNER.newestTokensMax();
        assertThat((double) rewritten / added)
                .as("rewrites of a token in %.0f graduations", graduations)
                .isLessThan(1.2 * Math.sqrt(graduations));
    }

    @Test
    void limitsBelowOneAreRefused() {
        assertThatThrownBy(() -> new SegmentPlanner(0, 1)).hasMessageContaining("must be >= 1, got 0 and 1");
        assertThatThrownBy(() -> new SegmentPlanner(1, 0)).hasMessageContaining("must be >= 1, got 1 and 0");
    }

    private static long[] sizes(String text) {
        return text.isEmpty()
                ? new long[0]
                : Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }
}
