package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** The fields of a JSON object, by type; null and missing are the same. */
final class Fields {
    private final String path;
    private final JsonNode object;

    /**
     * Fields of an object.
     *
     * @param path what stands before their names in errors
     */
    Fields(String path, JsonNode object) {
        this.path = path;
        this.object = object;
    }

    /** Null if missing. */
    JsonNode node(String name) {
        JsonNode found = object.get(name);
        return found == null || found.isNull() ? null : found;
    }

    /** An empty one if missing. */
    Fields object(String name) {
        JsonNode found = node(name);
        if (found != null && !found.isObject()) {
            throw wrong(name, "an object");
        }
        return new Fields(path + name + ".", found == null ? JsonNodeFactory.instance.objectNode() : found);
    }

    String text(String name, String missing) {
        JsonNode found = node(name);
        if (found != null && !found.isTextual()) {
            throw wrong(name, "a text");
        }
        return found == null ? missing : found.textValue();
    }

    boolean flag(String name, boolean missing) {
        JsonNode found = node(name);
        if (found != null && !found.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return found == null ? missing : found.booleanValue();
    }

    int integer(String name, int missing) {
        JsonNode found = node(name);
        if (found != null && !(found.isIntegralNumber() && found.canConvertToInt())) {
            throw wrong(name, "a whole number");
        }
        return found == null ? missing : found.intValue();
    }

    double number(String name, double missing) {
        JsonNode found = node(name);
        if (found != null && !found.isNumber()) {
            throw wrong(name, "a number");
        }
        return found == null ? missing : found.doubleValue();
    }

    private ApiException wrong(String name, String expected) {
        return ApiException.invalid(path + name, path + name + " must be " + expected);
    }
}
