package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What vLLM logs of requests ({@code --enable-log-requests --enable-log-outputs}): lines for what came in, and lines for what was said.
 * A record is made of both, in the order of the answers. Other lines are passed over.
 *
 * <p>Since prompts and token ids are details, newer releases log them with {@code VLLM_LOGGING_LEVEL=DEBUG} only, on lines of their own
 * (0.32: {@code vllm/entrypoints/serve/utils/request_logger.py}). Older ones have all on one line.
 */
final class VllmRows implements LogRows {
    private static final int LINE_BYTES_MAX = 64 << 20;
    private static final int WAITING_MAX = 2_000;
    private static final String SAID_IDS = "output_token_ids";
    private static final String IDS = "(None|[\\[(][\\d, ]*+[\\])])";
    private static final Pattern ASKED =
            Pattern.compile("(?:Received request|Request) (\\S+?)(?: details)?: prompt: (?=None|['\"])");
    private static final Pattern ASKED_IDS = Pattern.compile("prompt_token_ids: " + IDS);
    private static final Pattern ANSWERED =
            Pattern.compile("Generated response (\\S+?)( \\(streaming \\w+\\))?: output: (?=None|['\"])");
    private static final Pattern ANSWERED_IDS =
            Pattern.compile("Generated response (\\S+?)( \\(streaming \\w+\\))? details: output_token_ids: " + IDS);
    private static final Pattern ANSWER_END =
            Pattern.compile("(?:, output_token_ids: " + IDS + ")?, finish_reason: (\\w+)");
    /** Behind the id of a request of several prompts stands its number. */
    private static final Pattern NUMBER = Pattern.compile("-\\d+$");

    private final LineReader lines;
    private final Map<String, ObjectNode> waiting = new LinkedHashMap<>();

    VllmRows(InputStream in) {
        this.lines = new LineReader(in, LINE_BYTES_MAX);
    }

    /** Whether a line is one of these. */
    static boolean knows(String line) {
        return ASKED.matcher(line).find() || ANSWERED.matcher(line).find() || line.contains("Received request ");
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        while (lines.next()) {
            LogRow row = read(new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8));
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    private LogRow read(String line) throws BrokenLineException {
        Matcher asked = ASKED.matcher(line);
        if (asked.find()) {
            asked(asked, line);
            return null;
        }
        Matcher details = ANSWERED_IDS.matcher(line);
        if (details.find()) {
            said(request(details.group(1)), details.group(3));
            return null;
        }
        Matcher answered = ANSWERED.matcher(line);
        return answered.find() ? answered(answered, line) : null;
    }

    private void asked(Matcher begin, String line) throws BrokenLineException {
        ObjectNode request = JsonLines.JSON.createObjectNode().put("id", begin.group(1));
        int end = PythonText.end(line, begin.end());
        putText(request, "prompt", line.substring(begin.end(), end));
        Matcher ids = ASKED_IDS.matcher(line);
        if (ids.find(end) && !ids.group(1).equals("None")) {
            request.set("prompt_token_ids", ids(ids.group(1)));
        }
        waiting.put(begin.group(1), request);
        if (waiting.size() > WAITING_MAX) {
            waiting.remove(waiting.keySet().iterator().next());
        }
    }

    private static void putText(ObjectNode request, String field, String text) {
        if (!text.equals("None")) {
            request.put(field, PythonText.read(text));
        }
    }

    /** The ids of an answer, or of a part of one that was streamed; its end has none. */
    private static void said(ObjectNode request, String ids) throws BrokenLineException {
        if (ids != null && !ids.equals("None")) {
            request.withArray(SAID_IDS).addAll(ids(ids));
        }
    }

    /** Null for a part of a stream. A request of several answers waits for the others. */
    private LogRow answered(Matcher begin, String line) throws BrokenLineException {
        int textEnd = PythonText.end(line, begin.end());
        Matcher end = ANSWER_END.matcher(line).region(textEnd, line.length());
        if (!end.lookingAt()) {
            throw new BrokenLineException(
                    "an answer's line ends with why it ended",
                    "another end",
                    "raise --max-log-len, or give --skip-bad-lines");
        }
        ObjectNode request = request(begin.group(1));
        said(request, end.group(1));
        if (" (streaming delta)".equals(begin.group(2))) {
            return null;
        }
        ObjectNode row = request.deepCopy();
        request.remove(SAID_IDS);
        putText(row, "output", line.substring(begin.end(), textEnd));
        row.put("finish_reason", end.group(2));
        return new LogRow(row, lines.number());
    }

    private ObjectNode request(String id) throws BrokenLineException {
        ObjectNode whole = waiting.get(id);
        ObjectNode request = whole == null ? waiting.get(NUMBER.matcher(id).replaceFirst("")) : whole;
        if (request == null) {
            throw new BrokenLineException(
                    "an answer stands behind its request",
                    "no request " + LogFields.shown(id),
                    "log from the start, with --enable-log-requests and VLLM_LOGGING_LEVEL=DEBUG; or give --skip-bad-lines");
        }
        return request;
    }

    private static ArrayNode ids(String list) throws BrokenLineException {
        ArrayNode ids = JsonLines.JSON.createArrayNode();
        PythonText.numbers(list).forEach(ids::add);
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
