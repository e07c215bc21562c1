package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the chat template of a Hugging Face directory: chat_template.jinja, or what tokenizer_config.json holds. */
public final class ChatTemplates {
    private static final String FILE = "chat_template.jinja";
    private static final String CONFIG = "tokenizer_config.json";
    private static final String KEY = "chat_template";

    private ChatTemplates() {}

    /** The template, if the directory has one: a model without one completes texts, but does not chat. */
    public static Optional<ChatTemplate> read(Path directory) {
        Path config = directory.resolve(CONFIG);
        JsonNode root = Files.exists(config) ? ModelConfigFile.readJson(config) : null;
        return source(directory, root)
                .map(source -> new JinjaChatTemplate(source, token(root, "bos_token"), token(root, "eos_token")));
    }

    private static Optional<String> source(Path directory, JsonNode config) {
        Path file = directory.resolve(FILE);
        if (Files.exists(file)) {
            try {
                return Optional.of(Files.readString(file));
            } catch (IOException e) {
                throw new ModelLoadException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
            }
        }
        return config == null ? Optional.empty() : configured(config.path(KEY));
    }

    /** A text, or a list of named texts of which the one named default counts. */
    private static Optional<String> configured(JsonNode template) {
        for (JsonNode named : template) {
            if (named.path("name").asText().equals("default")) {
                return Optional.of(named.path("template").asText());
            }
        }
        return template.isTextual() ? Optional.of(template.asText()) : Optional.empty();
    }

    /** A special token is a text, or an object with its text as content. */
    private static String token(JsonNode config, String key) {
        JsonNode token = config == null ? null : config.path(key);
        if (token == null) {
            return "";
        }
        return token.isObject() ? token.path("content").asText("") : token.asText("");
    }
}
