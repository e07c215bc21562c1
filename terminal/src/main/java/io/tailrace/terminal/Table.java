package io.tailrace.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table in plain text: columns as wide as their widest cell, numbers to the right. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String> heads;
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] numeric;

    /** A cell with three digits after the point. */
    public record Number3(double value) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.3f", value);
        }
    }

    public Table(String... heads) {
        this.heads = List.of(heads);
        this.numeric = new boolean[heads.length];
    }

    /** Adds a row: whole numbers are grouped by thousands, others have two digits after the point, null is a dash. */
    public Table row(Object... cells) {
        if (cells.length != heads.size()) {
            throw new IllegalArgumentException("a row needs %d cells, got %d".formatted(heads.size(), cells.length));
        }
        List<String> row = new ArrayList<>();
        for (int column = 0; column < cells.length; column++) {
            numeric[column] |= cells[column] instanceof Number || cells[column] instanceof Number3;
            row.add(format(cells[column]));
        }
        rows.add(row);
        return this;
    }

    public void print(PrintWriter out) {
        line(out, heads);
        rows.forEach(row -> line(out, row));
        out.flush();
    }

    private void line(PrintWriter out, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String padding = " ".repeat(width(column) - cells.get(column).length());
            line.append(numeric[column] ? padding + cells.get(column) : cells.get(column) + padding);
            line.append(GAP);
        }
        out.println(line.toString().stripTrailing());
    }

    private int width(int column) {
        int width = heads.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }

    private static String format(Object cell) {
        if (cell == null) {
            return "-";
        }
        if (cell instanceof Double fraction) {
            return String.format(Locale.ROOT, "%.2f", fraction);
        }
        return cell instanceof Number number ? String.format(Locale.ROOT, "%,d", number.longValue()) : cell.toString();
    }
}
