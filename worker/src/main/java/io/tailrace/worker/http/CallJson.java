package io.tailrace.worker.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.util.List;

/**
 * Binds the JSON of a call to {@link CallBody}, strictly: no value becomes one of another kind, and no field is passed over that
 * might change the answer. Whatever is wrong is told with the field's path, what was expected and what was there.
 */
final class CallJson {
    private static final int GOT_CHARS_MAX = 80;
    /** Values, names and brackets of a body. A part of two bytes takes 80 on the heap. */
    static final int PARTS_MAX = 1_000_000;

    private static final JsonMapper JSON = strict();

    private CallJson() {}

    /** Reads a body. */
    static CallBody read(byte[] body) {
        return read(body, CallBody.class);
    }

    /** Reads a body of another kind. */
    static <T> T read(byte[] body, Class<T> type) {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw ApiException.invalid(null, "the body is no JSON that can be read: " + where(e));
        } catch (IOException e) {
            throw ApiException.invalid(null, "the body cannot be read");
        }
        if (root == null || !root.isObject()) {
            throw ApiException.invalid(null, "the body must be a JSON object");
        }
        return bind("", root, type);
    }

    /** A limit that is exceeded is told without a place. */
    private static String where(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        return at == null ? e.getOriginalMessage() : "line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
    }

    /**
     * Binds a part of a body.
     *
     * @param path of the part, as errors name it; empty: it is the body
     */
    static <T> T bind(String path, JsonNode node, Class<T> type) {
        try {
            return JSON.treeToValue(node, type);
        } catch (JsonMappingException e) {
            throw refused(path, node, e);
        } catch (JsonProcessingException e) {
            throw ApiException.invalid(path.isEmpty() ? null : path, "this cannot be understood");
        }
    }

    /** A value as errors show it. */
    static String shown(JsonNode got) {
        String text = got == null || got.isMissingNode() ? "nothing" : got.toString();
        return text.length() <= GOT_CHARS_MAX ? text : text.substring(0, GOT_CHARS_MAX) + "...";
    }

    private static JsonMapper strict() {
        StreamReadConstraints bounds =
                StreamReadConstraints.builder().maxTokenCount(PARTS_MAX).build();
        return JsonMapper.builder(
                        JsonFactory.builder().streamReadConstraints(bounds).build())
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(LogicalType.Textual, texts -> {
                    texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                    texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                })
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .addHandler(new Habits())
                .build();
    }

    /** Passes over the fields that clients send by habit, at the values that ask for nothing. */
    private static final class Habits extends DeserializationProblemHandler {
        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context, JsonParser at, JsonDeserializer<?> by, Object of, String name)
                throws IOException {
            Class<?> type = of instanceof Class<?> itself ? itself : of.getClass();
            HabitualFields habitual = HabitualFields.of(type);
            return habitual.has(name) && habitual.asksForNothing(name, context.readTree(at));
        }
    }

    private static ApiException refused(String path, JsonNode node, JsonMappingException e) {
        String name = name(path, e.getPath());
        JsonNode got = at(node, e.getPath());
        if (e instanceof UnrecognizedPropertyException unknown) {
            HabitualFields habitual = HabitualFields.of(unknown.getReferringClass());
            return ApiException.unsupported(name, habitual.refusal(unknown.getPropertyName(), name, shown(got)));
        }
        return ApiException.invalid(
                name.isEmpty() ? null : name, "%s must be %s, got %s".formatted(name, expected(e), shown(got)));
    }

    private static String name(String path, List<JsonMappingException.Reference> references) {
        StringBuilder name = new StringBuilder(path);
        for (JsonMappingException.Reference reference : references) {
            if (reference.getFieldName() == null) {
                name.append('[').append(reference.getIndex()).append(']');
            } else {
                name.append(name.isEmpty() ? "" : ".").append(reference.getFieldName());
            }
        }
        return name.toString();
    }

    private static JsonNode at(JsonNode node, List<JsonMappingException.Reference> references) {
        JsonNode found = node;
        for (JsonMappingException.Reference reference : references) {
            found = reference.getFieldName() == null
                    ? found.path(reference.getIndex())
                    : found.path(reference.getFieldName());
        }
        return found;
    }

    private static String expected(JsonMappingException e) {
        Class<?> type = e instanceof MismatchedInputException mismatched
                ? mismatched.getTargetType()
                : e.getCause() instanceof InputCoercionException coercion ? coercion.getTargetType() : Object.class;
        if (type == Integer.class || type == int.class) {
            return "a whole number of 32 bits";
        }
        if (type == Long.class || type == long.class) {
            return "a whole number of 64 bits";
        }
        if (type == Double.class) {
            return "a number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        return type != null && List.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}
