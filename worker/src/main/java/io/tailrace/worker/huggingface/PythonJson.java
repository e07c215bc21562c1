package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Filter {@code tojson} as Hugging Face's library has it: Python's json.dumps with its blanks, letters left as they are. */
final class PythonJson implements Filter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Separators BLANK_BEHIND = new Separators(
            " ", ':', Separators.Spacing.AFTER, ',', Separators.Spacing.AFTER, "", ',', Separators.Spacing.AFTER, "");
    private static final Separators LINES = new Separators(
            "\n", ':', Separators.Spacing.AFTER, ',', Separators.Spacing.NONE, "", ',', Separators.Spacing.NONE, "");

    @Override
    public String getName() {
        return "tojson";
    }

    @Override
    public Object filter(Object value, JinjavaInterpreter interpreter, String... arguments) {
        return write(value, arguments);
    }

    @Override
    public Object filter(Object value, JinjavaInterpreter interpreter, Object[] arguments, Map<String, Object> named) {
        Object indent = named.getOrDefault("indent", arguments.length > 0 ? arguments[0] : null);
        return indent == null ? write(value) : write(value, indent.toString());
    }

    private static String write(Object value, String... indent) {
        try {
            return writer(indent).writeValueAsString(plain(value));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("tojson cannot write this value: " + e.getOriginalMessage(), e);
        }
    }

    private static ObjectWriter writer(String... indent) {
        DefaultPrettyPrinter printer;
        if (indent.length == 0) {
            DefaultPrettyPrinter.NopIndenter none = new DefaultPrettyPrinter.NopIndenter();
            printer = new DefaultPrettyPrinter(BLANK_BEHIND)
                    .withObjectIndenter(none)
                    .withArrayIndenter(none);
        } else {
            DefaultIndenter lines = new DefaultIndenter(" ".repeat(Integer.parseInt(indent[0])), "\n");
            printer = new DefaultPrettyPrinter(LINES).withObjectIndenter(lines).withArrayIndenter(lines);
        }
        return JSON.writer(printer);
    }

    /** The template engine hands out its own kinds of maps and lists. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> plain = new LinkedHashMap<>();
            map.forEach((key, each) -> plain.put(String.valueOf(key), plain(each)));
            return plain;
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(PythonJson::plain).toList();
        }
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }
}
