package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SGLang logs of requests ({@code --log-requests --log-requests-level 3}). The line of a request that ended holds what was asked, too; it
 * is the record, in the order of the answers. Lines of requests that came in, and other lines, are passed over.
 *
 * <p>With {@code --log-requests-format json} the record is JSON behind the time; else it is spelled as Python writes objects, and is
 * brought into the same form (0.5.23: {@code sglang/srt/utils/request_logger.py}).
 */
final class SglangRows implements LogRows {
    private static final int LINE_BYTES_MAX = 64 << 20;
    /** {@code out}, {@code meta_info}, {@code finish_reason}. */
    private static final int DEPTH_MAX = 3;

    private static final Pattern OBJECTS = Pattern.compile("\\] (Receive|Finish): obj=\\w+\\(");
    private static final Pattern JSON_EVENT =
            Pattern.compile("\\] \\{\"timestamp\": \"[^\"]*\", \"event\": \"request\\.(\\w+)[\".]");
    private static final Pattern IDS = Pattern.compile("\\[[\\d, ]*+\\](?: \\.\\.\\. \\[[\\d, ]*+\\])?");
    /** Stands where a list or a text was shortened. */
    static final String SHORTENED = "...";

    private final LineReader lines;

    SglangRows(InputStream in) {
        this.lines = new LineReader(in, LINE_BYTES_MAX);
    }

    /** Whether a line is one of these. */
    static boolean knows(String line) {
        return OBJECTS.matcher(line).find() || JSON_EVENT.matcher(line).find();
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        while (lines.next()) {
            String line = new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8);
            Matcher objects = OBJECTS.matcher(line);
            if (objects.find()) {
                if (objects.group(1).equals("Finish")) {
                    return new LogRow(finished(line, objects.end() - 1), lines.number());
                }
                continue;
            }
            Matcher event = JSON_EVENT.matcher(line);
            if (event.find() && event.group(1).equals("finished")) {
                return new LogRow(json(line.substring(event.start() + 2)), lines.number());
            }
        }
        return null;
    }

    private static JsonNode json(String record) throws BrokenLineException {
        try {
            return JsonLines.JSON.readTree(record);
        } catch (JsonProcessingException e) {
            throw JsonLines.broken("behind the time of a line stands a JSON object", e);
        }
    }

    private static ObjectNode finished(String line, int obj) throws BrokenLineException {
        int out = line.indexOf(", out={", PythonText.objectEnd(line, obj));
        ObjectNode row = JsonLines.JSON.createObjectNode().put("event", SglangShape.FINISHED);
        row.set("obj", object(line, obj, DEPTH_MAX));
        row.set("out", out < 0 ? row.nullNode() : object(line, out + ", out=".length(), DEPTH_MAX));
        return row;
    }

    private static ObjectNode object(String line, int from, int depthMax) throws BrokenLineException {
        Map<String, String> fields = PythonText.fields(line, from);
        if (fields == null) {
            throw new BrokenLineException(
                    "a line holds its request and its answer whole",
                    "an end within them",
                    "remove the line, or give --skip-bad-lines");
        }
        ObjectNode object = JsonLines.JSON.createObjectNode();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            object.set(field.getKey(), value(field.getValue(), depthMax));
        }
        return object;
    }

    /** What lies deeper than anything that is looked for stays text. */
    private static JsonNode value(String value, int depthMax) throws BrokenLineException {
        if (value.equals("None")) {
            return JsonLines.JSON.nullNode();
        }
        if (value.startsWith("{") && depthMax > 1) {
            return object(value, 0, depthMax - 1);
        }
        if (IDS.matcher(value).matches()) {
            return ids(value);
        }
        boolean text = value.startsWith("'") || value.startsWith("\"");
        return JsonLines.JSON.getNodeFactory().textNode(text ? text(value) : value);
    }

    private static String text(String value) {
        int end = PythonText.end(value, 0);
        String text = PythonText.read(value.substring(0, end));
        String gap = " " + SHORTENED + " ";
        boolean shortened = value.startsWith(gap, end);
        return shortened ? text + SHORTENED + PythonText.read(value.substring(end + gap.length())) : text;
    }

    private static ArrayNode ids(String list) throws BrokenLineException {
        String gap = "] " + SHORTENED + " [";
        int at = list.indexOf(gap);
        ArrayNode ids = JsonLines.JSON.createArrayNode();
        PythonText.numbers(at < 0 ? list : list.substring(0, at + 1)).forEach(ids::add);
        if (at >= 0) {
            ids.add(SHORTENED);
            PythonText.numbers(list.substring(at + gap.length() - 1)).forEach(ids::add);
        }
        return ids;
    }

    @Override
    public long line() {
        return lines.number();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
