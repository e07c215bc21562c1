package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** One object a line. */
final class JsonLines implements LogRows {
    static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int LINE_BYTES_MAX = 64 << 20;

    private final LineReader lines;

    JsonLines(InputStream in) {
        this.lines = new LineReader(in, LINE_BYTES_MAX);
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        while (lines.next()) {
            if (!lines.blank()) {
                return new LogRow(object(), lines.number());
            }
        }
        return null;
    }

    private JsonNode object() throws IOException, BrokenLineException {
        if (lines.tooLong()) {
            throw new BrokenLineException(
                    "a line has at most " + LINE_BYTES_MAX + " bytes", "more", "split or remove it");
        }
        try {
            JsonNode row = JSON.readTree(lines.bytes(), 0, lines.length());
            if (!row.isObject()) {
                throw new BrokenLineException("a line is a JSON object", kind(row), "write one object a line");
            }
            return row;
        } catch (JsonProcessingException e) {
            throw broken("a line is a JSON object", e);
        }
    }

    /** What is wrong with a line of JSON, without what stands there. */
    static BrokenLineException broken(String rule, JsonProcessingException e) {
        String column =
                e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
        return BrokenLineException.ofJson(
                e, rule, wrong(e), column, "repair or remove the line, or give --skip-bad-lines");
    }

    /** What stands where JSON should. */
    static String wrong(JsonProcessingException e) {
        return e instanceof JsonEOFException ? "an end within it" : "no JSON";
    }

    static String kind(JsonNode node) {
        return node.isMissingNode()
                ? "none"
                : "a JSON " + node.getNodeType().toString().toLowerCase(Locale.ROOT);
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
