package io.tailrace.suffix.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.lane.SegmentPlanner.Candidate;
import io.tailrace.suffix.lane.SegmentPlanner.Group;
import io.tailrace.suffix.lane.SegmentPlanner.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentPlannerTest {
    private static final SegmentPlanner PLANNER = new SegmentPlanner(100, 1000);

    /** Segments are written as name:tokens, separated by blanks; "-" is none. Groups come out as a+b | c || newest. */
    @ParameterizedTest(name = "older {0}, newest {1}, level 0 {2}, rewritten {3}, at {4}: {5}")
    @CsvSource({
        "-,               -,     -,         -, 0,    '|| -'",
        "-,               -,     x:5,       -, 0,    '|| x'",
        "-,               -,     x:5 y:6,   -, 0,    '|| x+y'",
        "-,               n:20,  x:5,       -, 0,    '|| n+x'",
        "-,               n:20,  -,         -, 5000, '|| n'",
        "-,               n:99,  x:50,      -, 999,  '|| n+x'",
        "-,               n:100, x:5 y:6,   -, 0,    'n || x+y'",
        "-,               n:20,  x:5,       -, 1000, 'n || x'",
        "a:299,           n:100, x:5,       -, 0,    'a+n || x'",
        "a:300,           n:100, x:5,       -, 0,    'a | n || x'",
        "a:900 b:300,     n:100, x:5,       -, 0,    'a | b | n || x'",
        "a:900 b:299,     n:100, x:5,       -, 0,    'a+b+n || x'",
        "a:9000 b:299,    n:100, x:5,       -, 0,    'a | b+n || x'",
        "a:27 b:9 c:3,    n:1,   x:5,       -, 1000, 'a+b+c+n || x'",
        "a:9000 b:900 c:150, n:100, x:5,    -, 0,    'a | b | c+n || x'",
        "a:2700 b:900 c:300, n:99,  x:5,    -, 0,    'a | b | c || n+x'",
        "a:50 b:40 c:30 d:20, n:5, -,       -, 0,    'a | b | c+d || n'",
        "a:900 b:300,     n:20,  -,         a, 0,    'a! | b || n'",
        "a:900 b:300,     n:20,  x:1,       x, 0,    'a | b || n+x!'",
        "a:299,           n:100, x:5,       n, 0,    'a+n! || x'"
    })
    void plansFollowTheTable(
            String older, String newest, String level0, String rewrites, long nowMillis, String expected) {
        List<Candidate> newestOrNone = candidates(newest);
        Plan plan = PLANNER.plan(
                candidates(older),
                newestOrNone.isEmpty() ? null : newestOrNone.get(0),
                candidates(level0),
                Set.of(rewrites.split(" ")),
                nowMillis);
        assertThat(text(plan)).isEqualTo(expected);
    }

    private static List<Candidate> candidates(String text) {
        return Arrays.stream(text.split(" "))
                .filter(word -> word.contains(":"))
                .map(word -> word.split(":"))
                .map(word -> new Candidate(word[0], Long.parseLong(word[1]), 0))
                .toList();
    }

    private static String text(Plan plan) {
        String older = plan.older().stream().map(SegmentPlannerTest::text).collect(Collectors.joining(" | "));
        return (older + " || " + (plan.newest() == null ? "-" : text(plan.newest()))).strip();
    }

    private static String text(Group group) {
        return String.join("+", group.names()) + (group.rewrite() ? "!" : "");
    }

    @Test
    void mergesAreTheGroupsThatChange() {
        Plan plan =
                PLANNER.plan(candidates("a:900 b:300"), candidates("n:20").get(0), candidates("x:1"), Set.of("b"), 0);
        assertThat(plan.merges().stream().map(SegmentPlannerTest::text)).containsExactly("b!", "n+x");
    }

    @Test
    void tokensAreRewrittenAFewDozenTimesAtMost() {
        Random random = new Random(11);
        List<Candidate> older = new ArrayList<>();
        Candidate newest = null;
        long added = 0;
        long rewritten = 0;
        for (int i = 0; i < 20_000; i++) {
            Candidate flushed = new Candidate("f" + i, 1 + random.nextInt(20), i);
            added += flushed.liveTokens();
            Plan plan = PLANNER.plan(older, newest, List.of(flushed), Set.of(), i);
            assertThat(plan.older()).hasSizeLessThanOrEqualTo(SegmentPlanner.OLDER_MAX);
            for (Group group : plan.older()) {
                rewritten += group.isMerge() ? group.liveTokens() : 0;
            }
            older = new ArrayList<>();
            for (Group group : plan.older()) {
                older.add(new Candidate(group.names().get(0), group.liveTokens(), i));
            }
            boolean folded = newest != null && plan.newest().names().contains(newest.name());
            newest = new Candidate(
                    "n" + i, plan.newest().liveTokens(), folded ? newest.begunAtMillis() : flushed.begunAtMillis());
        }
        long live = newest.liveTokens()
                + older.stream().mapToLong(Candidate::liveTokens).sum();
        assertThat(live).isEqualTo(added);
        assertThat(rewritten).as("tokens rewritten by merges of older segments").isLessThan(60 * added);
    }

    @Test
    void limitsMustBePositive() {
        assertThatThrownBy(() -> new SegmentPlanner(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newestTokensMax");
    }
}
