package io.tailrace.lab.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/** Records of any layout: an array of objects, or objects one behind the other. A page of an API's answer stands for what it holds. */
final class JsonDocument implements LogRows {
    /** One value of several ends where the next begins. */
    static final ObjectMapper JSON = new ObjectMapper();

    private final JsonParser parser;
    private final Deque<JsonNode> page = new ArrayDeque<>();
    private boolean ended;
    private long record;

    JsonDocument(InputStream in) throws IOException {
        this.parser = JSON.getFactory().createParser(in);
    }

    /** Whether an object is a page of what Langfuse's API lists: objects in {@code data}, {@code meta} about them, and nothing else. */
    static boolean isPage(JsonNode object) {
        boolean page = object.size() == 2
                && object.path("data").isArray()
                && object.path("meta").isObject();
        for (JsonNode each : object.path("data")) {
            page &= each.isObject();
        }
        return page;
    }

    @Override
    public LogRow next() throws IOException, BrokenLineException {
        try {
            while (page.isEmpty() && !ended) {
                read(parser.nextToken());
            }
            return page.isEmpty() ? null : new LogRow(page.poll(), ++record);
        } catch (JsonProcessingException e) {
            ended = true;
            record++;
            throw broken(e);
        }
    }

    private void read(JsonToken token) throws IOException, BrokenLineException {
        ended = token == null;
        if (ended || token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
            return;
        }
        if (token != JsonToken.START_OBJECT) {
            record++;
            throw new BrokenLineException(
                    "a record is a JSON object", "a value that is none", "write an array of objects, or one a line");
        }
        JsonNode object = parser.readValueAsTree();
        if (isPage(object)) {
            object.path("data").forEach(page::add);
        } else {
            page.add(object);
        }
    }

    private static BrokenLineException broken(JsonProcessingException e) {
        String where = e.getLocation() == null
                ? ""
                : " at line %d, column %d"
                        .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
        return BrokenLineException.ofJson(
                e, "a file is JSON to its end", JsonLines.wrong(e), where, "repair it, or export it again");
    }

    @Override
    public long line() {
        return record;
    }

    @Override
    public Position.Unit unit() {
        return Position.Unit.RECORD;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
