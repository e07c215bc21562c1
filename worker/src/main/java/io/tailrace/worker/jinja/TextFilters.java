package io.tailrace.worker.jinja;

import io.tailrace.worker.jinja.Arguments.Bound;
import io.tailrace.worker.jinja.Filters.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Filters that make texts. */
final class TextFilters {
    private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final String BETWEEN_WORDS = "-({[<";

    private TextFilters() {}

    /** A filter of a value's text that takes nothing. */
    private interface Plain {
        Object apply(String text);
    }

    static void addTo(Map<String, Filter> all) {
        plain(all, "string", text -> text);
        plain(all, "safe", text -> text);
        plain(all, "upper", text -> text.toUpperCase(Locale.ROOT));
        plain(all, "lower", Methods::lower);
        plain(all, "capitalize", TextMethods::capitalized);
        plain(all, "title", TextFilters::titled);
        plain(all, "wordcount", text -> WORD.matcher(text).results().count());
        all.put("trim", TextFilters::trim);
        all.put("replace", TextFilters::replace);
        all.put("indent", TextFilters::indent);
        all.put("center", TextFilters::center);
        all.put("join", TextFilters::join);
        all.put("format", TextFilters::format);
        all.put("tojson", Json::write);
    }

    private static void plain(Map<String, Filter> all, String name, Plain filter) {
        all.put(name, (at, value, arguments) -> {
            arguments.positional(name, 0, 0);
            Object made = filter.apply(Printing.text(at, value));
            return made instanceof String text ? at.spendText(text) : made;
        });
    }

    private static String titled(String text) {
        StringBuilder titled = new StringBuilder();
        boolean begin = true;
        for (Object each : Text.letters(text)) {
            String letter = (String) each;
            titled.append(begin ? letter.toUpperCase(Locale.ROOT) : Methods.lower(letter));
            begin = BETWEEN_WORDS.contains(letter) || Text.isSpace(letter.codePointAt(0));
        }
        return titled.toString();
    }

    private static Object trim(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("trim", 0, "chars");
        String letters = given.get(0) == null ? null : given.text(0);
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
        for (Object each : Text.lines(text + "\n", false)) {
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

    private static Object center(Rendering at, Object value, Arguments arguments) {
        int width = arguments.bind("center", 0, "width").whole(0, 80);
        return at.spendText(TextMethods.padded(at, Printing.text(at, value), width, " ", 1));
    }

    private static Object join(Rendering at, Object value, Arguments arguments) {
        Bound given = arguments.bind("join", 0, "d", "attribute");
        String between = Printing.text(at, given.get(0, ""));
        StringBuilder all = new StringBuilder();
        List<Object> items = new ArrayList<>(Values.list(at, value));
        for (int i = 0; i < items.size(); i++) {
            Object item = given.get(1) == null ? items.get(i) : ListFilters.within(items.get(i), given.get(1));
            String text = Printing.text(at, item);
            at.requireText((long) all.length() + text.length() + between.length());
            all.append(i == 0 ? "" : between).append(text);
        }
        return at.spendText(all.toString());
    }

    private static Object format(Rendering at, Object value, Arguments arguments) {
        if (!arguments.positional().isEmpty() && !arguments.named().isEmpty()) {
            throw new JinjaException("format takes values by position or by name");
        }
        Object map = arguments.named().isEmpty() ? null : arguments.named();
        return PercentFormat.format(at, Printing.text(at, value), arguments, map);
    }
}
