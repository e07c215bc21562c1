package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.lab.recorded.BrokenLineException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Fields of records, under the names that logs have for them. */
final class LogFields {
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private static final int SHOWN_CHARS_MAX = 40;
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}]");

    private LogFields() {}

    /** The first of the fields that is there and not null; JSON that was written as text is read. */
    static JsonNode first(JsonNode row, List<String> names) {
        for (String name : names) {
            JsonNode value = row.path(name);
            if (!value.isMissingNode() && !value.isNull()) {
                return read(value);
            }
        }
        return MissingNode.getInstance();
    }

    static JsonNode first(JsonNode row, String... names) {
        return first(row, List.of(names));
    }

    /** As text, or null. */
    static String text(JsonNode row, List<String> names) {
        for (String name : names) {
            JsonNode value = row.path(name);
            if (value.isValueNode() && !value.isNull() && !value.asText().isEmpty()) {
                return value.asText();
            }
        }
        return null;
    }

    /** The beginning of a text that may be anything, for messages; a terminal would obey its control characters. */
    static String shown(String text) {
        String begin = text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "...";
        return UNSEEN.matcher(begin).replaceAll("?");
    }

    static String text(JsonNode row, String... names) {
        return text(row, List.of(names));
    }

    /** Objects and arrays stand as text in tables, and in exports. */
    static JsonNode read(JsonNode value) {
        String text = value.isTextual() ? value.textValue().strip() : "";
        boolean looksLikeJson =
                (text.startsWith("{") && text.endsWith("}")) || (text.startsWith("[") && text.endsWith("]"));
        if (!looksLikeJson) {
            return value;
        }
        try {
            return JsonLines.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return value; // a text that begins and ends like it
        }
    }

    static Map<String, Object> map(JsonNode object) {
        return JsonLines.JSON.convertValue(object, MAP);
    }

    static List<Object> list(JsonNode array) {
        List<Object> list = new ArrayList<>();
        array.forEach(each -> list.add(each.isObject() ? map(each) : each.asText()));
        return list;
    }

    /** Whether it is an array of whole numbers, at least one. */
    static boolean isIds(JsonNode node) {
        return node.isArray() && !node.isEmpty() && node.get(0).isIntegralNumber();
    }

    static int[] ids(JsonNode array, String field) throws BrokenLineException {
        int[] ids = new int[array.size()];
        for (int i = 0; i < ids.length; i++) {
            JsonNode id = array.get(i);
            if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0) {
                throw new BrokenLineException(
                        field + " holds token ids",
                        JsonLines.kind(id) + " at " + field + "[" + i + "]",
                        "write whole numbers from 0");
            }
            ids[i] = id.intValue();
        }
        return ids;
    }

    /** Seconds, or an ISO date, alone or with a time behind a blank or a T, in UTC unless it says otherwise; null if there is none that can be read. */
    static Double time(JsonNode row, List<String> names) {
        String text = text(row, names);
        if (text == null) {
            return null;
        }
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return date(text);
        }
    }

    private static Double date(String text) {
        try {
            String stripped = text.strip();
            String iso = stripped.matches("\\d{4}-\\d\\d-\\d\\d") ? stripped + "T00:00" : stripped.replace(' ', 'T');
            boolean zoned = iso.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$");
            Instant instant = OffsetDateTime.parse(zoned ? iso : iso + "Z").toInstant();
            return instant.getEpochSecond() + instant.getNano() / 1e9;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
