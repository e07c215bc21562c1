package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** {@code POST /tokenize} as vLLM has it: the token ids of a text, without an answer. */
final class TokenizeReader {
    private final CallReader reader;
    private final Backend backend;

    TokenizeReader(CallReader reader, Backend backend) {
        this.reader = reader;
        this.backend = backend;
    }

    /**
     * What is asked.
     *
     * @param model may be missing
     * @param addSpecialTokens whether to begin as the model wants a text to begin; missing: yes
     */
    record Body(String model, String prompt, Boolean addSpecialTokens) {}

    /** The answer to a body. */
    ObjectNode answer(byte[] json) {
        Body body = CallJson.read(json, Body.class);
        if (body.model() != null && !body.model().equals(backend.modelName())) {
            throw ApiException.unknownModel(body.model(), backend.modelName());
        }
        if (body.prompt() == null) {
            throw ApiException.invalid("prompt", "prompt must be given, as a text");
        }
        int[] tokens = reader.encode(body.prompt(), body.addSpecialTokens() == null || body.addSpecialTokens());
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("count", tokens.length)
                .put("max_model_len", backend.contextTokensMax());
        ArrayNode ids = answer.putArray("tokens");
        for (int token : tokens) {
            ids.add(token);
        }
        return answer;
    }
}
