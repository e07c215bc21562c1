package io.tailrace.suffix.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentPlannerTest {
    private static final SegmentPlanner PLANNER = new SegmentPlanner(100, 800, 10_000);
    private static final int ROUNDS = 20_000;
    private static final int LANES = 5_000;

    @ParameterizedTest(name = "{0} tokens, {1} ms, {2} older, {3} to fold: graduates {4}")
    @CsvSource({
        "100,      0, 0,     1, false", // at the limit, not above it
        "101,      0, 0,     1, true",
        "101,      0, 2,     1, true",
        "101,      0, 3,     1, false", // no room
        "  1, 10_000, 0,     1, false",
        "  1, 10_001, 0,     1, true",
        "  1, 10_001, 3,     1, false",
        "101,      0, 0,    33, true",
        "150,      0, 0,    50, false", // three folds like the next, not more
        "151,      0, 0,    50, true",
        "800,      0, 0, 9_999, false", // at the limit under load, not above it
        "801,      0, 0, 9_999, true",
        " 50, 10_001, 0, 9_999, true", // age is age
    })
    void theNewestGraduatesWhenLargeOrOldAndThereIsRoom(
            long tokens, String age, int older, String fold, boolean graduates) {
        assertThat(PLANNER.graduates(tokens, number(age), older, number(fold))).isEqualTo(graduates);
    }

    @ParameterizedTest(name = "older {0}, newest {1} tokens, {2} ms: merges from {3}")
    @CsvSource({
        "900 300 100, 51,    0,  1", // as alike: the smaller pair
        "900 400 100, 51,    0,  0", // 2.25 against 4; the youngest goes along
        "900 200 100, 51,    0,  1", // 4.5 against 2
        "100 50 900,  51,    0,  0",
        "100 300 900, 51,    0,  0",
        "300 300 300, 51,    0,  0", // equal: the oldest pair, and the youngest goes along
        "100 300 900, 50,    0, -1", // not half full
        "100 300 900,  1, 5001,  0", // half its time is over
        "100 300,    500, 9999, -1", // room for one more
        "'',         500, 9999, -1",
    })
    void theNeighboursMostAlikeMergeInTimeForTheNextGraduationWithWhatIsYounger(
            String older, long newest, long age, int from) {
        OptionalInt expected = from < 0 ? OptionalInt.empty() : OptionalInt.of(from);
        assertThat(PLANNER.mergeFrom(sizes(older), newest, age)).isEqualTo(expected);
    }

    @Test
    void aGrowingLaneKeepsThreeOlderSegmentsAndRewritesATokenAboutTheRootOfItsGraduations() {
        Growth growth = new Growth();
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < ROUNDS; round++) {
            growth.round(random.nextLong(1, 31), "round " + round);
            assertThat(growth.newest).isLessThanOrEqualTo(PLANNER.newestTokensMax() + 60);
        }
        double graduations = (double) growth.added / PLANNER.newestTokensMax();
        assertThat((double) growth.rewritten / growth.added)
                .as("rewrites of a token in %.0f graduations", graduations)
                .isLessThan(1.05 * Math.sqrt(graduations));
    }

    @Test
    void whateverComesInAtWhateverPaceNothingIsLostAndThreeOlderSegmentsAreTheMost() {
        for (long seed = 0; seed < LANES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Growth growth = new Growth();
            long paceMax = 1L << random.nextInt(1, 14);
            for (int round = 0; round < 100; round++) {
                growth.slow = random.nextInt(4) == 0;
                growth.round(random.nextLong(paceMax), "seed %d, round %d".formatted(seed, round));
            }
        }
    }

    @Test
    void underLoadATokenIsRewrittenLessOftenThanIfTheNewestGraduatedAfterEachFold() {
        long[] rewritten = new long[2];
        for (int eager = 0; eager < 2; eager++) {
            Growth growth = new Growth();
            growth.eager = eager == 1;
            for (int round = 0; round < 60; round++) {
                growth.round(200, "round " + round);
            }
            rewritten[eager] = growth.rewritten + growth.folded;
        }
        assertThat(rewritten[0]).as("folds and merges, tokens").isLessThan(rewritten[1] * 3 / 4);
    }

    /** The dull twin: the cheapest of all ways to keep at most three segments, known beforehand how many graduations come. */
    @Test
    void equalGraduationsCostAtMostAQuarterMoreThanTheCheapestSchedule() {
        Map<List<Long>, Long> cheapest = Map.of(List.of(), 0L);
        List<Long> older = new ArrayList<>();
        long rewritten = 0;
        for (int graduations = 1; graduations <= 60; graduations++) {
            OptionalInt from = PLANNER.mergeFrom(sizes(older), 101, 0);
            if (from.isPresent()) {
                rewritten += merge(older, from.getAsInt(), older.size());
            }
            older.add(1L);
            cheapest = graduated(cheapest);
            long least = Collections.min(cheapest.values());
            if (graduations >= 20) {
                assertThat(rewritten).as("%d graduations", graduations).isLessThanOrEqualTo(least + least / 4);
            }
        }
    }

    /** What each layout costs at least after one more graduation. */
    private static Map<List<Long>, Long> graduated(Map<List<Long>, Long> cheapest) {
        Map<List<Long>, Long> next = new HashMap<>();
        cheapest.forEach((layout, cost) -> {
            for (int from = 0; from < layout.size(); from++) {
                for (int to = from + 1; to <= layout.size(); to++) {
                    List<Long> merged = new ArrayList<>(layout);
                    long moved = to - from > 1 ? merge(merged, from, to) : 0;
                    merged.add(1L);
                    if (merged.size() <= SegmentPlanner.OLDER_MAX) {
                        next.merge(merged, cost + moved, Math::min);
                    }
                }
            }
            if (layout.isEmpty()) {
                next.put(List.of(1L), cost);
            }
        });
        return next;
    }

    private static long merge(List<Long> sizes, int from, int to) {
        List<Long> merged = sizes.subList(from, to);
        long together = merged.stream().mapToLong(Long::longValue).sum();
        merged.clear();
        sizes.add(from, together);
        return together;
    }

    /** A lane that grows; a merge is done at once or, where they are slow, a round later. */
    private static final class Growth {
        private final List<Long> older = new ArrayList<>();
        private OptionalInt merging = OptionalInt.empty();
        private boolean slow;
        private boolean eager;
        private long newest;
        private long added;
        private long rewritten;
        private long folded;

        void round(long flushed, String where) {
            land(where);
            merging = PLANNER.mergeFrom(sizes(older), newest, 0);
            if (!slow) {
                land(where);
            }
            if (PLANNER.graduates(newest, 0, older.size(), eager ? 0 : flushed)) {
                assertThat(merging).as(where).isEmpty();
                older.add(newest);
                newest = 0;
            }
            newest += flushed;
            folded += newest;
            added += flushed;
            assertThat(older).as(where).hasSizeLessThanOrEqualTo(SegmentPlanner.OLDER_MAX);
            assertThat(older.stream().mapToLong(Long::longValue).sum() + newest)
                    .as(where)
                    .isEqualTo(added);
        }

        private void land(String where) {
            if (merging.isPresent()) {
                assertThat(older.size() - merging.getAsInt()).as(where).isGreaterThan(1);
                rewritten += merge(older, merging.getAsInt(), older.size());
                merging = OptionalInt.empty();
            }
        }
    }

    @Test
    void limitsBelowOneAreRefused() {
        assertThatThrownBy(() -> new SegmentPlanner(0, 1, 1)).hasMessageContaining("must be >= 1, got 0 and 1");
        assertThatThrownBy(() -> new SegmentPlanner(1, 1, 0)).hasMessageContaining("must be >= 1, got 1 and 0");
    }

    private static long number(String text) {
        return Long.parseLong(text.replace("_", ""));
    }

    private static long[] sizes(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private static long[] sizes(String text) {
        return text.isEmpty()
                ? new long[0]
                : Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }
}
