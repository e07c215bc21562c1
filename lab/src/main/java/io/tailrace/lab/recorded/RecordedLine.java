package io.tailrace.lab.recorded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.tailrace.schemas.LaneId;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One line of replay input as it stands there, before its parent is looked up. Read by Jackson's streaming parser, token ids
 * straight into arrays.
 */
final class RecordedLine {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100).build())
            .build();

    /** What a generation's request id may have. */
    private static final int ID_CHARS_MAX = 200;

    String id;
    String parent;
    String session;
    String workload;
    String scope;
    int[] prompt = new int[0];
    int[] response;

    static RecordedLine parse(byte[] bytes, int length, int vocabularySize) throws BrokenLineException {
        try (JsonParser parser = JSON.createParser(bytes, 0, length)) {
            RecordedLine line = new RecordedLine();
            line.readObject(parser, vocabularySize);
            if (parser.nextToken() != null) {
                throw new BrokenLineException(
                        "a line holds one JSON object",
                        "more after its end at column "
                                + parser.currentLocation().getColumnNr(),
                        "put each request on a line of its own");
            }
            line.checkComplete();
            return line;
        } catch (JsonProcessingException e) {
            throw brokenJson(e);
        } catch (CharConversionException e) {
            // It begins like UTF-32, and goes on with what is none.
            throw new BrokenLineException("a line is a JSON object", e.getMessage(), "write it in UTF-8");
        } catch (IOException e) {
            throw new AssertionError("parsing memory does no I/O", e);
        }
    }

    private static BrokenLineException brokenJson(JsonProcessingException e) {
        String column =
                e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
        String what = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
        return BrokenLineException.ofJson(e, "a line is a JSON object", what, column, "repair or remove the line");
    }

    private void readObject(JsonParser parser, int vocabularySize) throws IOException, BrokenLineException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new BrokenLineException(
                    "a line is a JSON object",
                    String.valueOf(parser.currentToken()),
                    "write {\"id\": ..., \"prompt\": [...], \"response\": [...]}");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "id" -> id = text(parser, field);
                case "parent" -> parent = text(parser, field);
                case "session" -> session = text(parser, field);
                case "workload" -> workload = text(parser, field);
                case "scope" -> scope = text(parser, field);
                case "prompt" -> prompt = tokenIds(parser, field, vocabularySize);
                case "response" -> response = tokenIds(parser, field, vocabularySize);
                default -> parser.skipChildren();
            }
        }
    }

    private void checkComplete() throws BrokenLineException {
        if (id == null || id.isEmpty()) {
            throw new BrokenLineException("a request has an id", "none", "add a unique \"id\"");
        }
        checkLength("id", id, ID_CHARS_MAX);
        if (scope != null) {
            checkLength("scope", scope, LaneId.SCOPE_CHARS_MAX);
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(scope)) {
                throw new BrokenLineException("scope is text", "half of a character", "write it in UTF-8");
            }
        }
        if (response == null || response.length == 0) {
            throw new BrokenLineException(
                    "a response has at least one token id",
                    response == null ? "none" : "an empty array",
                    "remove the line or add the response's token ids");
        }
    }

    private static void checkLength(String field, String value, int charsMax) throws BrokenLineException {
        if (value.isEmpty() || value.length() > charsMax) {
            throw new BrokenLineException(
                    field + " has 1 to " + charsMax + " characters", value.length() + " characters", "shorten it");
        }
    }

    private static String text(JsonParser parser, String field) throws IOException, BrokenLineException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> null;
            default ->
                throw new BrokenLineException(
                        field + " is a string", String.valueOf(parser.currentToken()), "quote it");
        };
    }

    private static int[] tokenIds(JsonParser parser, String field, int vocabularySize)
            throws IOException, BrokenLineException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw new BrokenLineException(
                    field + " is an array of token ids",
                    String.valueOf(parser.currentToken()),
                    "write token ids, not text");
        }
        int[] ids = new int[256];
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, count * 2);
            }
            ids[count] = tokenId(parser, field, count, vocabularySize);
            count++;
        }
        return Arrays.copyOf(ids, count);
    }

    private static int tokenId(JsonParser parser, String field, int at, int vocabularySize)
            throws IOException, BrokenLineException {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new BrokenLineException(
                    field + " holds whole numbers",
                    parser.currentToken() + " at " + field + "[" + at + "]",
                    "write token ids");
        }
        JsonParser.NumberType type = parser.getNumberType();
        long value = type == JsonParser.NumberType.BIG_INTEGER ? Long.MAX_VALUE : parser.getLongValue();
        if (value < 0) {
            throw new BrokenLineException(
                    "token ids are not negative",
                    value + " at " + field + "[" + at + "]",
                    "tokenise again with the lane's tokenizer");
        }
        if (value >= vocabularySize) {
            if (vocabularySize == RecordedInputOptions.UNBOUNDED) {
                throw new BrokenLineException(
                        "token ids are below " + RecordedInputOptions.UNBOUNDED,
                        value + " at " + field + "[" + at + "]",
                        "write token ids; no tokenizer has as many");
            }
            throw new BrokenLineException(
                    "token ids are below the vocabulary size " + vocabularySize,
                    value + " at " + field + "[" + at + "]",
                    "tokenise with the lane's tokenizer, or set the vocabulary size of the one that was used");
        }
        return (int) value;
    }
}
