package io.tailrace.cli.inspect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is said about a file: named values in order, as lines for people or as a JSON object for programs. */
final class Answer {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a number, a text, or a list of answers or numbers. */
    Answer add(String name, Object value) {
        values.put(name, value);
        return this;
    }

    String json() {
        return object() + System.lineSeparator();
    }

    private String object() {
        return values.entrySet().stream()
                .map(entry -> quoted(entry.getKey()) + ": " + jsonOf(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String jsonOf(Object value) {
        if (value instanceof Answer answer) {
            return answer.object();
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Answer::jsonOf).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof Number || value instanceof Boolean ? textOf(value) : quoted(value.toString());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> {
            if (value instanceof List<?> list && list.stream().allMatch(Answer.class::isInstance)) {
                text.append(name).append(System.lineSeparator());
                list.forEach(item -> text.append("  ").append(((Answer) item).line()));
            } else {
                text.append(String.format("%-22s %s%n", name, textOf(value)));
            }
        });
        return text.toString();
    }

    private String line() {
        return values.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + textOf(entry.getValue()))
                        .collect(Collectors.joining("  "))
                + System.lineSeparator();
    }

    private static String textOf(Object value) {
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.3f", number);
        }
        return value instanceof List<?> list
                ? list.stream().map(Object::toString).collect(Collectors.joining(" "))
                : value.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
