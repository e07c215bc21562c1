package io.tailrace.worker.jinja;

import java.util.List;
import java.util.Map;

/** Values as text: Python's {@code str} and {@code repr}. */
final class Printing {
    private final Rendering at;
    private final StringBuilder out = new StringBuilder();

    private Printing(Rendering at) {
        this.at = at;
    }

    static String text(Rendering at, Object value) {
        if (value instanceof String text) {
            return text;
        }
        return value instanceof Undefined ? "" : shown(at, value);
    }

    static String shown(Rendering at, Object value) {
        Printing printing = new Printing(at);
        printing.add(value, 0);
        return at.spendText(printing.out.toString());
    }

    private void add(Object value, int depth) {
        Values.requireFlat(depth);
        at.spend(1);
        at.requireText(out.length());
        if (value == null) {
            out.append("None");
        } else if (value instanceof String text) {
            quote(text);
        } else if (value instanceof Boolean truth) {
            out.append(truth ? "True" : "False");
        } else if (value instanceof Double number) {
            out.append(Numbers.shown(number));
        } else if (value instanceof Number) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            map(map, depth);
        } else if (value instanceof Tuple tuple) {
            items("(", tuple, tuple.size() == 1 ? ",)" : ")", depth);
        } else if (value instanceof List<?> list && !(value instanceof Range)) {
            items("[", list, "]", depth);
        } else if (value instanceof Undefined) {
            out.append("Undefined");
        } else {
            throw JinjaException.leftOut("printing a " + Values.type(value));
        }
    }

    private void items(String open, List<?> items, String close, int depth) {
        out.append(open);
        boolean first = true;
        for (Object item : items) {
            out.append(first ? "" : ", ");
            add(item, depth + 1);
            first = false;
        }
        out.append(close);
    }

    private void map(Map<?, ?> map, int depth) {
        out.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(first ? "" : ", ");
            add(entry.getKey(), depth + 1);
            out.append(": ");
            add(entry.getValue(), depth + 1);
            first = false;
        }
        out.append('}');
    }

    private void quote(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        text.codePoints().forEach(letter -> letter(letter, quote));
        out.append(quote);
    }

    private void letter(int letter, char quote) {
        if (letter == quote || letter == '\\') {
            out.append('\\').appendCodePoint(letter);
        } else if (letter == '\n' || letter == '\r' || letter == '\t') {
            out.append('\\').append(letter == '\n' ? 'n' : letter == '\r' ? 'r' : 't');
        } else if (isPrintable(letter)) {
            out.appendCodePoint(letter);
        } else if (letter <= 0xff) {
            out.append("\\x%02x".formatted(letter));
        } else {
            out.append((letter <= 0xffff ? "\\u%04x" : "\\U%08x").formatted(letter));
        }
    }

    private static boolean isPrintable(int letter) {
        return switch (Character.getType(letter)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> letter == ' ';
            default -> true;
        };
    }
}
