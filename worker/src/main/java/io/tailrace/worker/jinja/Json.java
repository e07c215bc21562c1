package io.tailrace.worker.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Python's {@code json.dumps}, as the filter {@code tojson} has it: letters stay as they are unless ASCII is wanted. */
final class Json {
    private static final int INDENT_MAX = 1_000;

    private final Rendering at;
    private final boolean ascii;
    private final String indent;
    private final String comma;
    private final String colon;
    private final boolean sorted;
    private final StringBuilder out = new StringBuilder();

    private Json(Rendering at, Arguments.Bound options) {
        this.at = at;
        ascii = options.truth(0, false);
        indent = indent(options.get(1));
        sorted = options.truth(3, false);
        Object separators = options.get(2);
        if (separators == null) {
            comma = indent == null ? ", " : ",";
            colon = ": ";
        } else if (separators instanceof List<?> two
                && two.size() == 2
                && two.get(0) instanceof String between
                && two.get(1) instanceof String behind) {
            comma = between;
            colon = behind;
        } else {
            throw new JinjaException("tojson wants two separators");
        }
    }

    static String write(Rendering at, Object value, Arguments arguments) {
        Json json = new Json(at, arguments.bind("tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys"));
        json.add(value, 0);
        return at.spendText(json.out.toString());
    }

    private static String indent(Object value) {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        if (!Numbers.isWhole(value) || Numbers.whole(value) > INDENT_MAX) {
            throw new JinjaException("tojson wants a small indent");
        }
        return " ".repeat((int) Math.max(0, Numbers.whole(value)));
    }

    private void add(Object value, int depth) {
        Values.requireFlat(depth);
        at.spend(1);
        at.requireText(out.length());
        if (value instanceof String text) {
            quote(text);
        } else if (value instanceof Map<?, ?> map) {
            map(map, depth);
        } else if (value instanceof List<?> list && !(value instanceof Range)) {
            list(list, depth);
        } else {
            out.append(plain(value));
        }
    }

    private static String plain(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Double number) {
            return Numbers.shown(number);
        }
        if (value instanceof Boolean || value instanceof Number) {
            return value.toString();
        }
        throw new JinjaException("tojson cannot write a " + Values.type(value));
    }

    private void list(List<?> list, int depth) {
        inside('[', list, ']', depth, each -> add(each, depth + 1));
    }

    private void map(Map<?, ?> map, int depth) {
        inside('{', keys(map), '}', depth, key -> {
            quote(key instanceof String text ? text : plain(key));
            out.append(colon);
            add(map.get(key), depth + 1);
        });
    }

    private void inside(char open, List<?> items, char close, int depth, Consumer<Object> write) {
        out.append(open);
        boolean first = true;
        for (Object item : items) {
            out.append(first ? "" : comma);
            line(depth + 1);
            write.accept(item);
            first = false;
        }
        if (!first) {
            line(depth);
        }
        out.append(close);
    }

    private List<Object> keys(Map<?, ?> map) {
        List<Object> keys = new ArrayList<>(map.keySet());
        return sorted ? Comparison.sorted(at, keys, key -> key, false) : keys;
    }

    private void line(int depth) {
        if (indent != null) {
            at.requireText(out.length() + (long) indent.length() * depth);
            out.append('\n').append(indent.repeat(depth));
        }
    }

    private void quote(String text) {
        at.requireText((long) out.length() + text.length());
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            letter(text.charAt(i));
        }
        out.append('"');
    }

    private void letter(char letter) {
        switch (letter) {
            case '"', '\\' -> out.append('\\').append(letter);
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                if (letter < ' ' || (ascii && letter > '~')) {
                    out.append("\\u%04x".formatted((int) letter));
                } else {
                    out.append(letter);
                }
            }
        }
    }
}
