package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TargetRowsTest {
    @Test
    void tokensBeyondTheLimitGetNoRowAndThoseThatHaveOneKeepIt() {
        TargetRows rows = new TargetRows(2);
        for (int token = 0; token < TargetRows.TOKENS_MAX; token++) {
            assertThat(rows.lacks(token)).isTrue();
            rows.tell(token, new int[] {token + 1, 7, 9}, 3);
        }
        int beyond = TargetRows.TOKENS_MAX;
        rows.tell(beyond, new int[] {1, 2}, 2);
        assertThat(rows.lacks(beyond)).isFalse();
        assertThat(rows.row(beyond)).isEqualTo(TargetRows.NONE);
        rows.tell(5, new int[] {8}, 1);
        int row = rows.row(5);
        assertThat(rows.count(row)).isEqualTo(1);
        assertThat(rows.at(row, 0)).isEqualTo(8);
        assertThat(rows.candidate(6, 1)).isEqualTo(7);
    }

    @Test
    void withoutABoundEveryTokenGetsARow() {
        TargetRows rows = TargetRows.unbounded(1);
        for (int token = 0; token <= TargetRows.TOKENS_MAX; token++) {
            rows.tell(token, new int[] {token + 1}, 1);
        }
        assertThat(rows.candidate(TargetRows.TOKENS_MAX, 0)).isEqualTo(TargetRows.TOKENS_MAX + 1);
    }

    @Test
    void aRequestsRowsAreFewerAndForgottenAtOnce() {
        TargetRows rows = new TargetRows(2).ofRequest();
        for (int token = 0; token <= TargetRows.REQUEST_TOKENS_MAX; token++) {
            rows.tell(token, new int[] {token + 1, 7}, 2);
        }
        assertThat(rows.candidate(TargetRows.REQUEST_TOKENS_MAX - 1, 0)).isEqualTo(TargetRows.REQUEST_TOKENS_MAX);
        assertThat(rows.row(TargetRows.REQUEST_TOKENS_MAX)).isEqualTo(TargetRows.NONE);
        rows.clear();
        assertThat(rows.candidate(0, 0)).isEqualTo(TargetRows.NONE);
        rows.tell(9, new int[] {4}, 1);
        assertThat(rows.candidate(9, 0)).isEqualTo(4);
    }

    @Test
    void moreThanEightCandidatesAreRefusedAndNone() {
        assertThatThrownBy(() -> new TargetRows(9)).hasMessageContaining("[1, 8], got 9");
        assertThatThrownBy(() -> new TargetRows(0)).hasMessageContaining("got 0");
    }

    @Test
    void rowsAnswerLikeListsInAMap() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            int width = 1 + random.nextInt(8);
            TargetRows rows = new TargetRows(width);
            Map<Integer, List<Integer>> dull = new HashMap<>();
            int vocabulary = 1 + random.nextInt(3000);
            for (int i = 0; i < 3000; i++) {
                int token = random.nextInt(vocabulary);
                List<Integer> row = dull.computeIfAbsent(token, key -> new ArrayList<>());
                if (random.nextBoolean()) {
                    int following = random.nextInt(12);
                    row.remove((Integer) following);
                    row.add(0, following);
                    rows.observe(token, following);
                } else {
                    int[] likeliest = random.ints(0, 12)
                            .distinct()
                            .limit(random.nextInt(10))
                            .toArray();
                    row.clear();
                    for (int candidate : likeliest) {
                        row.add(candidate);
                    }
                    rows.tell(token, likeliest, likeliest.length);
                }
                while (row.size() > width) {
                    row.remove(row.size() - 1);
                }
                int asked = random.nextInt(vocabulary);
                for (int rank = 0; rank < width; rank++) {
                    List<Integer> expected = dull.getOrDefault(asked, List.of());
                    assertThat(rows.candidate(asked, rank)).isEqualTo(rank < expected.size() ? expected.get(rank) : -1);
                }
            }
        });
    }
}
