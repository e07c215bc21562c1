package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Filters that make texts. */
final class TextFilters {
    private static final String BETWEEN_WORDS = "-({[<";

    private TextFilters() {}

    static void addTo(Map<String, Routine> all) {
        plain(all, "string", text -> text);
        plain(all, "safe", text -> text);
        plain(all, "upper", TextMethods::upper);
        plain(all, "lower", TextMethods::lower);
        plain(all, "capitalize", TextMethods::capitalized);
        plain(all, "title", TextFilters::titled);
        all.put("trim", TextFilters::trim);
        all.put("replace", TextFilters::replace);
        all.put("indent", TextFilters::indent);
        all.put("join", TextFilters::join);
        all.put("format", TextFilters::format);
        all.put("tojson", Json::write);
    }

    /** A filter of a value's text that takes nothing. */
    private static void plain(Map<String, Routine> all, String name, UnaryOperator<String> filter) {
        all.put(name, (at, value, arguments) -> {
            arguments.positional(name, 0, 0);
            return at.spendText(filter.apply(Printing.text(at, value)));
        });
    }

    private static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean begin = true;
        for (Object each : Text.letters(text)) {
            String letter = (String) each;
            titled.append(begin ? TextMethods.upper(letter) : TextMethods.lower(letter));
            begin = BETWEEN_WORDS.contains(letter) || Text.isSpace(letter.codePointAt(0));
        }
        return titled.toString();
    }

    private static Object trim(Rendering at, Object value, Arguments arguments) {
        String letters = arguments.bind("trim", 0, "chars").text(0);
        return at.spendText(Text.strip(Printing.text(at, value), letters, true, true));
    }

    private static Object replace(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("replace", 2, "old", "new", "count");
        String old = Printing.text(at, given.get(0));
        String by = Printing.text(at, given.get(1));
        int most = given.get(2) == null ? -1 : given.whole(2, -1);
        return at.spendText(TextMethods.replaced(at, Printing.text(at, value), old, by, most));
    }

    private static Object indent(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("indent", 0, "width", "first", "blank");
        String blanks = given.get(0, 4L) instanceof String text ? text : blanks(at, given.whole(0, 4));
        if (!(value instanceof String text)) {
            throw value instanceof Undefined missing
                    ? missing.refuse()
                    : new JinjaException("indent wants a text, got " + Values.type(value));
        }
        StringBuilder all = new StringBuilder(given.truth(1, false) ? blanks : "");
        boolean first = true;
        for (Object each : Text.lines(text + "\n")) {
            String line = (String) each;
            boolean moved = !first && (given.truth(2, false) || !line.isEmpty());
            at.spend(1);
            at.requireText((long) all.length() + line.length() + blanks.length() + 1);
            all.append(first ? "" : "\n").append(moved ? blanks : "").append(line);
            first = false;
        }
        return at.spendText(all.toString());
    }

    private static String blanks(Rendering at, int count) {
        at.requireText(count);
        return " ".repeat(Math.max(0, count));
    }

    private static Object join(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("join", 0, "d", "attribute");
        List<Object> items = Values.list(at, value);
        if (given.get(1) != null) {
            items.replaceAll(item -> ListFilters.within(item, given.get(1)));
        }
        return at.spendText(Text.joined(at, Printing.text(at, given.get(0, "")), items));
    }

    private static Object format(Rendering at, Object value, Arguments arguments) {
        if (!arguments.named().isEmpty()) {
            throw JinjaException.leftOut("filter 'format' with names");
        }
        List<Object> values = arguments.positional();
        return Formats.percent(at, Printing.text(at, value), values);
    }
}
