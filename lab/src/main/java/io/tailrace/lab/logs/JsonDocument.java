package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.recorded.BrokenLineException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Records over several lines: an array of objects, or objects one behind the other. An object whose {@code data} is an array stands for
 * what that holds, as a page of an API's answer does.
 */
final class JsonDocument implements LogRows {
    /** One value of several ends where the next begins. */
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonParser parser;
    private final Deque<JsonNode> page = new ArrayDeque<>();
    private boolean ended;
    private long line;

    JsonDocument(InputStream in) throws IOException {
        this.parser = JSON.getFactory().createParser(in);
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        try {
            while (page.isEmpty() && !ended) {
                read(parser.nextToken());
            }
            return page.isEmpty() ? null : new LogRow(page.poll(), line);
        } catch (JsonProcessingException e) {
            ended = true;
            line = e.getLocation() == null ? line : e.getLocation().getLineNr();
            throw JsonLines.broken("a file is JSON to its end", e);
        }
    }

    private void read(JsonToken token) throws IOException, BrokenLineException {
        ended = token == null;
        if (ended || token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
            return;
        }
        line = parser.currentLocation().getLineNr();
        if (token != JsonToken.START_OBJECT) {
            throw new BrokenLineException(
                    "a record is a JSON object", "a value that is none", "write an array of objects, or one a line");
        }
        JsonNode object = parser.readValueAsTree();
        if (object.path("data").isArray()) {
            object.path("data").forEach(page::add);
        } else {
            page.add(object);
        }
    }

    @Override
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
