package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class TableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCellAndNumbersStandToTheRight() {
        StringWriter out = new StringWriter();
        new Table("lane", "tokens", "ratio")
                .row("acme", 1234567, 1.5)
                .row("borealis", 8, null)
                .print(new PrintWriter(out));
        assertThat(out.toString().lines())
                .containsExactly(
                        "lane         tokens  ratio", "acme      1,234,567   1.50", "borealis          8      -");
    }
}
