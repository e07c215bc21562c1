package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Which id each token has, by a directory's tokenizer.json. */
public final class TokenizerMatch {
    private static final String NAME = "tokenizer.json";

    private TokenizerMatch() {}

    /**
     * Two models can speak to each other in token ids only if these mean the same to both.
     *
     * @throws ModelLoadException if a token has another id in one than in the other, or is in one only
     */
    public static void requireSame(Path target, Path draft) {
        Map<String, Integer> expected = read(target);
        Map<String, Integer> got = read(draft);
        for (Map.Entry<String, Integer> token : expected.entrySet()) {
            Integer id = got.remove(token.getKey());
            if (!token.getValue().equals(id)) {
                throw other(target, draft, token.getKey(), token.getValue(), id);
            }
        }
        if (!got.isEmpty()) {
            Map.Entry<String, Integer> more = got.entrySet().iterator().next();
            throw other(target, draft, more.getKey(), null, more.getValue());
        }
    }

    private static ModelLoadException other(Path target, Path draft, String token, Integer expected, Integer got) {
        return new ModelLoadException(
                "the draft model %s speaks in other tokens than its target %s: '%s' is id %s of the target's and id %s of the draft model's; a draft model needs its target's tokenizer"
                        .formatted(
                                draft,
                                target,
                                token,
                                expected == null ? "none" : expected,
                                got == null ? "none" : got));
    }

    private static Map<String, Integer> read(Path directory) {
        JsonNode root = ModelConfigFile.readJson(directory.resolve(NAME));
        Map<String, Integer> ids = new HashMap<>();
        JsonNode vocabulary = root.path("model").path("vocab");
        if (vocabulary.isArray()) {
            for (int id = 0; id < vocabulary.size(); id++) {
                ids.put(vocabulary.get(id).path(0).asText(), id);
            }
        } else {
            for (Map.Entry<String, JsonNode> token : vocabulary.properties()) {
                ids.put(token.getKey(), token.getValue().asInt(-1));
            }
        }
        for (JsonNode added : root.path("added_tokens")) {
            ids.put(added.path("content").asText(), added.path("id").asInt(-1));
        }
        return ids;
    }
}
