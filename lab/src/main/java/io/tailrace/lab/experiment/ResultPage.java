package io.tailrace.lab.experiment;

import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One experiment's part of a Markdown page: between two marks, replaced as a whole. What stands outside the marks is left as it
 * is; where the page has no such marks yet, the part is added at its end.
 */
final class ResultPage {
    private final String begin;
    private final String end;

    ResultPage(String experiment) {
        this.begin = "<!-- figures: " + experiment + " -->";
        this.end = "<!-- end: " + experiment + " -->";
    }

    /** Writes the part: what was run, then the tables. */
    void write(Path page, String provenance, List<Table> tables) throws IOException {
        StringBuilder part = new StringBuilder(begin + "\n\n" + provenance + "\n\n");
        tables.forEach(table -> part.append(table.markdown()).append('\n'));
        part.append(end);
        String before = Files.exists(page) ? Files.readString(page) : "";
        Files.writeString(page, replaced(page, before, part.toString()));
    }

    private String replaced(Path page, String before, String part) {
        int from = before.indexOf(begin);
        int to = before.indexOf(end);
        if (from < 0 && to < 0) {
            return before + (before.isEmpty() || before.endsWith("\n\n") ? "" : "\n") + part + "\n";
        }
        if (from < 0 || to < from) {
            throw new BadInputException(
                    "--page %s: marks must stand as %s ... %s; repair or remove them".formatted(page, begin, end));
        }
        return before.substring(0, from) + part + before.substring(to + end.length());
    }

    /**
     * A table of figures for a page.
     *
     * @param title what it shows
     * @param heads of its columns
     * @param rows cells as text, as many as heads
     */
    public record Table(String title, List<String> heads, List<List<String>> rows) {
        public Table {
            heads = List.copyOf(heads);
            rows = List.copyOf(rows);
            for (List<String> row : rows) {
                if (row.size() != heads.size()) {
                    throw new IllegalArgumentException("a row needs " + heads.size() + " cells, got " + row);
                }
            }
        }

        /** For programs: each row's cells by their heads, numbers as such; null where there is none. */
        Map<String, Object> figures() {
            List<Map<String, Object>> all = new ArrayList<>();
            for (List<String> row : rows) {
                Map<String, Object> cells = new LinkedHashMap<>();
                cells.put(heads.get(0), row.get(0).replace("*", ""));
                for (int i = 1; i < row.size(); i++) {
                    cells.put(heads.get(i), row.get(i).equals("-") ? null : new BigDecimal(row.get(i)));
                }
                all.add(cells);
            }
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("title", title);
            figures.put("rows", all);
            return figures;
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
}
