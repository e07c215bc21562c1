package io.tailrace.e2e.serving;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A whole answer as its client got it.
 *
 * @param id of the request
 * @param text of the answer
 * @param tokens of the answer
 * @param steps verifications it took; -1: not said
 * @param snapshotVersion what it was drafted from at last, 0: no snapshot; -1: not said
 */
record Told(String id, String text, int tokens, int steps, long snapshotVersion) {
    static Told of(JsonNode body) {
        return new Told(
                body.get("id").textValue(),
                body.get("choices").get(0).get("text").textValue(),
                body.get("usage").get("completion_tokens").intValue(),
                body.get("tailrace").get("steps").intValue(),
                body.get("tailrace").get("snapshotVersion").longValue());
    }
}
