package io.tailrace.cli.inspect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is said about a file: named values in order, as lines for people or as a JSON object for programs. */
final class NamedValues {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a number, a text, or a list of answers or numbers. */
    NamedValues add(String name, Object value) {
        values.put(name, value);
        return this;
    }

    String json() {
        try {
            return MAPPER.writeValueAsString(plain(this)) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("numbers and texts are not JSON", e);
        }
    }

    /** The same as maps, lists, numbers and texts, numbers as people see them. */
    private static Object plain(Object value) {
        if (value instanceof NamedValues answer) {
            Map<String, Object> map = new LinkedHashMap<>();
            answer.values.forEach((name, each) -> map.put(name, plain(each)));
            return map;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(NamedValues::plain).toList();
        }
        if (value instanceof Double number) {
            return new BigDecimal(textOf(number));
        }
        return value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> {
            if (value instanceof List<?> list && list.stream().allMatch(NamedValues.class::isInstance)) {
                text.append(name).append(System.lineSeparator());
                list.forEach(item -> text.append("  ").append(((NamedValues) item).line()));
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
}
