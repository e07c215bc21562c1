package io.tailrace.tap.answer;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** JSON objects of bytes, and what bodies hold in them. */
final class Json {
    /** Values, names and brackets of one object: beyond what anybody says, and few enough for a heap, at some 100 bytes each. */
    private static final int PARTS_MAX = 1 << 20;

    private static final JsonMapper MAPPER = mapper();

    private Json() {}

    static JsonNode object(byte[] bytes) throws UnreadableException {
        try {
            JsonNode root = MAPPER.readTree(bytes);
            if (root != null && root.isObject()) {
                return root;
            }
        } catch (IOException e) {
            throw new UnreadableException("a body is no JSON");
        }
        throw new UnreadableException("a body is no JSON object");
    }

    /** Whether a field says something: it is there, not null and not empty. */
    static boolean hasContent(JsonNode object, String field) {
        JsonNode value = object.path(field);
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isContainerNode() && value.isEmpty())
                && !(value.isTextual() && value.textValue().isEmpty());
    }

    /** Token ids; null if they are not there. */
    static int[] ids(JsonNode object, String field) throws UnreadableException {
        JsonNode list = object.path(field);
        if (list.isMissingNode() || list.isNull()) {
            return null;
        }
        if (!list.isArray()) {
            throw new UnreadableException(field + " is no list");
        }
        int[] ids = new int[list.size()];
        for (int i = 0; i < ids.length; i++) {
            JsonNode id = list.get(i);
            if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0) {
                throw new UnreadableException(field + " holds what is no token id");
            }
            ids[i] = id.intValue();
        }
        return ids;
    }

    /** The bytes that are read are bounded already. */
    private static JsonMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxTokenCount(PARTS_MAX)
                        .build());
        return mapper;
    }
}
