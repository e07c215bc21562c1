package io.tailrace.cli.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A page as data; the template makes it HTML.
 *
 * @param title what the page shows, as its heading
 * @param lead what the page answers, in a sentence or two
 */
record Page(String title, String lead, List<Tile> tiles, List<Section> sections) {
    /** The same with more below. */
    Page and(List<Section> more) {
        List<Section> all = new ArrayList<>(sections);
        all.addAll(more);
        return new Page(title, lead, tiles, all);
    }

    /** A figure, and what it is. */
    record Tile(String figure, String what) {}

    /**
     * A part of a page under a heading.
     *
     * @param note what to know of it; empty: nothing
     * @param form null: none
     * @param table null: none
     * @param charts none: no chart
     */
    record Section(String heading, String note, Form form, Grid table, List<Chart> charts) {
        static Section of(String heading, String note, Grid table) {
            return new Section(heading, note, null, table, List.of());
        }

        static Section of(String heading, String note, Form form) {
            return new Section(heading, note, form, null, List.of());
        }

        Section with(Chart... drawn) {
            return new Section(heading, note, form, table, List.of(drawn));
        }
    }

    /**
     * Fields that lead to a page.
     *
     * @param changes whether what it sends changes something
     */
    record Form(String action, boolean changes, String button, List<Field> fields) {
        Form(String action, String button, List<Field> fields) {
            this(action, false, button, fields);
        }

        String method() {
            return changes ? "post" : "get";
        }
    }

    /**
     * A field of a form.
     *
     * @param label empty: nobody sees or changes it
     * @param choices none: any text
     */
    record Field(String label, String name, String value, List<Choice> choices) {
        boolean isChoice() {
            return !choices.isEmpty();
        }

        boolean isHidden() {
            return label.isEmpty();
        }

        static Field text(String label, String name, String value) {
            return new Field(label, name, value, List.of());
        }

        static Field hidden(String name, String value) {
            return new Field("", name, value, List.of());
        }

        static Field choice(String label, String name, List<String> values, String chosen) {
            return new Field(
                    label,
                    name,
                    chosen,
                    values.stream()
                            .map(value -> new Choice(value, value.equals(chosen)))
                            .toList());
        }
    }

    /** What may be chosen in a field. */
    record Choice(String value, boolean chosen) {}

    /** A cell of a table; no link where it is empty. */
    record Cell(String text, String link, boolean number, boolean bad) {
        private static final int LINE_CHARS = 28;

        /** Whether it may take several lines. */
        boolean isLong() {
            return text.length() > LINE_CHARS;
        }
    }

    /** A column's heading. */
    record Column(String name, boolean number) {}

    /** A row: the first cell names it. */
    record Row(Cell first, List<Cell> rest) {}

    /** A table. Numbers stand to the right, but for the first column, which names the rows. */
    static final class Grid {
        private final String caption;
        private final List<String> names;
        private final List<List<Cell>> rows = new ArrayList<>();

        Grid(String caption, String... columns) {
            this.caption = caption;
            this.names = List.of(columns);
        }

        /** Adds a row: numbers as {@link Figures} writes them, null as a dash; a {@link Cell} as it is. */
        Grid row(Object... cells) {
            if (cells.length != names.size()) {
                throw new IllegalArgumentException(
                        "a row needs %d cells, got %d".formatted(names.size(), cells.length));
            }
            List<Cell> row = new ArrayList<>();
            for (Object cell : cells) {
                row.add(
                        cell instanceof Cell made
                                ? made
                                : new Cell(Figures.text(cell), "", cell instanceof Number, false));
            }
            rows.add(row);
            return this;
        }

        String caption() {
            return caption;
        }

        List<Column> columns() {
            List<Column> columns = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                int column = i;
                columns.add(new Column(
                        names.get(i),
                        i > 0 && rows.stream().anyMatch(row -> row.get(column).number())));
            }
            return columns;
        }

        List<Row> rows() {
            return rows.stream()
                    .map(row -> new Row(row.get(0), row.subList(1, row.size())))
                    .toList();
        }

        /** Whether there is nothing to show. */
        boolean none() {
            return rows.isEmpty();
        }
    }

    /**
     * A chart; the page has its figures in a table, too.
     *
     * @param title what it shows, also for those who do not see it
     * @param kind {@code line} over times in epoch milliseconds, {@code curve} over other numbers, or {@code bars} over categories
     */
    record Chart(
            String title, String kind, String xTitle, String yTitle, List<String> categories, List<Series> series) {
        static Chart line(String title, String yTitle, Series... series) {
            return new Chart(title, "line", "time, UTC", yTitle, List.of(), List.of(series));
        }

        static Chart curve(String title, String xTitle, String yTitle, List<Series> series) {
            return new Chart(title, "curve", xTitle, yTitle, List.of(), series);
        }

        static Chart bars(String title, String yTitle, List<String> categories, Series... series) {
            return new Chart(title, "bars", "", yTitle, categories, List.of(series));
        }

        /** For the page's script. */
        String data() {
            return Figures.json(this);
        }
    }

    /** Named values: of a line or curve x, y and maybe what is said at the point; of bars one for each category. */
    record Series(String name, List<?> values) {}
}
