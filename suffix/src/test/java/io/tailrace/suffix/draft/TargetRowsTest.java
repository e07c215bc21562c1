package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(rows.matrix().row(beyond)).isEqualTo(AdjacencyMatrix.NONE);
        rows.tell(5, new int[] {8}, 1);
        int row = rows.matrix().row(5);
        assertThat(rows.matrix().count(row)).isEqualTo(1);
        assertThat(rows.matrix().at(row, 0)).isEqualTo(8);
        assertThat(rows.matrix().candidate(6, 1)).isEqualTo(7);
    }

    @Test
    void moreThanEightCandidatesAreRefusedAndNone() {
        assertThatThrownBy(() -> new TargetRows(9)).hasMessageContaining("[1, 8], got 9");
        assertThatThrownBy(() -> new TargetRows(0)).hasMessageContaining("got 0");
    }
}
