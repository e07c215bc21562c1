package io.tailrace.lab.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of figures for a page.
 *
 * @param title what it shows
 * @param heads of its columns
 * @param rows cells as text, as many as heads
 */
public record ResultTable(String title, List<String> heads, List<List<String>> rows) {
    public ResultTable {
        heads = List.copyOf(heads);
        rows = List.copyOf(rows);
        for (List<String> row : rows) {
            if (row.size() != heads.size()) {
                throw new IllegalArgumentException("a row needs " + heads.size() + " cells, got " + row);
            }
        }
    }

    /** In Markdown, numbers to the right. */
    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("**" + title + "**");
        lines.add("");
        lines.add("| " + String.join(" | ", heads) + " |");
        lines.add("|---|" + "---:|".repeat(heads.size() - 1));
        rows.forEach(row -> lines.add("| " + String.join(" | ", row) + " |"));
        return String.join("\n", lines) + "\n";
    }
}
