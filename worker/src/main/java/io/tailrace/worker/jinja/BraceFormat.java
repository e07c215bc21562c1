package io.tailrace.worker.jinja;

import java.util.List;

/** Python's {@code '{} {name}'.format(...)}, without attributes and format specifications. */
final class BraceFormat {
    private final Rendering at;
    private final Arguments arguments;
    private final StringBuilder out = new StringBuilder();
    private int next;
    private boolean numbered;

    private BraceFormat(Rendering at, Arguments arguments) {
        this.at = at;
        this.arguments = arguments;
    }

    static String format(Rendering at, String pattern, Arguments arguments) {
        BraceFormat format = new BraceFormat(at, arguments);
        format.write(pattern);
        return at.spendText(format.out.toString());
    }

    private void write(String pattern) {
        int i = 0;
        while (i < pattern.length()) {
            char letter = pattern.charAt(i);
            boolean doubled = pattern.startsWith(letter == '{' ? "{{" : "}}", i);
            if (letter != '{' && letter != '}') {
                out.append(letter);
                i++;
            } else if (doubled) {
                out.append(letter);
                i += 2;
            } else {
                int end = pattern.indexOf('}', i);
                if (letter == '}' || end < 0) {
                    throw new JinjaException("format: a brace stands alone");
                }
                out.append(field(pattern.substring(i + 1, end)));
                i = end + 1;
            }
            at.requireText(out.length());
        }
    }

    private String field(String field) {
        boolean repr = field.endsWith("!r");
        String name = repr || field.endsWith("!s") ? field.substring(0, field.length() - 2) : field;
        Object value = value(name);
        return repr ? Printing.shown(at, value) : Printing.text(at, value);
    }

    private Object value(String name) {
        List<Object> positional = arguments.positional();
        boolean number = name.chars().allMatch(letter -> letter >= '0' && letter <= '9') && name.length() < 5;
        if (!number) {
            if (!arguments.named().containsKey(name)) {
                throw new JinjaException("format: there is no '%s', or it is more than a name".formatted(name));
            }
            return arguments.named().get(name);
        }
        if (name.isEmpty() ? numbered : next > 0) {
            throw new JinjaException("format: fields are numbered, or none is");
        }
        numbered = !name.isEmpty();
        int index = name.isEmpty() ? next++ : Integer.parseInt(name);
        if (index >= positional.size()) {
            throw new JinjaException("format: there is no argument " + index);
        }
        return positional.get(index);
    }
}
