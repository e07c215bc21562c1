package io.tailrace.lab.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.terminal.BadInputException;
import io.tailrace.worker.smallmodel.SmallLlama;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A model that engines serve.
 *
 * @param folder with {@code config.json}, {@code tokenizer.json} and weights
 * @param served as the fleet knows it
 * @param lengthMax tokens of the longest request, prompt and answer
 */
public record EngineModel(Path folder, ServedModel served, int lengthMax) {
    private static final String REVISION = "main";
    private static final int FINGERPRINT_DIGITS = 32;

    /**
     * A model in a folder, under a name.
     *
     * @param lengthMax tokens of the longest request; fewer where the model takes no more
     */
    public static EngineModel in(Path folder, String name, int lengthMax) throws IOException {
        JsonNode config = new ObjectMapper().readTree(Files.readAllBytes(file(folder, "config.json")));
        int vocabulary = number(folder, config, "vocab_size");
        int positions = number(folder, config, "max_position_embeddings");
        String fingerprint = fingerprint(Files.readAllBytes(file(folder, "tokenizer.json")));
        return new EngineModel(
                folder.toAbsolutePath(),
                new ServedModel(name, REVISION, vocabulary, fingerprint),
                Math.min(lengthMax, positions));
    }

    /**
     * Makes a {@link SmallLlama}.
     *
     * @param folder new
     */
    public static EngineModel make(Path folder, String name, int lengthMax) throws IOException {
        SmallLlama.make(folder);
        return in(folder, name, lengthMax);
    }

    private static Path file(Path folder, String name) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new BadInputException(
                    "model %s has no %s; give a folder as transformers writes it".formatted(folder, name));
        }
        return file;
    }

    private static int number(Path folder, JsonNode config, String field) {
        if (!config.path(field).isInt()) {
            throw new BadInputException("model %s: config.json has no number %s".formatted(folder, field));
        }
        return config.get(field).asInt();
    }

    /** As the doors make it. */
    private static String fingerprint(byte[] tokenizer) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(tokenizer);
            return "sha256:" + HexFormat.of().formatHex(hash).substring(0, FINGERPRINT_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
