package io.tailrace.worker.djl;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.huggingface.ModelConfigFile;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.TextTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;

/** A tokenizer.json, run by Hugging Face's own library through DJL. Its fingerprint is of the file's bytes. */
public final class DjlTokenizer implements TextTokenizer {
    private static final String NAME = "tokenizer.json";
    private static final int FINGERPRINT_DIGITS = 32;
    /** Normalizing may make a text shorter before it is cut into tokens. */
    private static final int TOKEN_CHARS_MIN = 16;
    /** A text that every vocabulary has. */
    private static final String NEIGHBOUR = "a";

    /** The library cuts texts to 512 tokens unless it is told not to. */
    private static final Map<String, String> WHOLE_TEXTS =
            Map.of("truncation", "DO_NOT_TRUNCATE", "padding", "DO_NOT_PAD");

    private final HuggingFaceTokenizer tokenizer;
    private final long[] neighbour;
    private final int vocabularySize;
    private final int tokenCharsMax;
    private final String fingerprint;

    private DjlTokenizer(HuggingFaceTokenizer tokenizer, JsonNode root, String fingerprint) {
        this.tokenizer = tokenizer;
        this.neighbour = tokenizer.encode(NEIGHBOUR, false, false).getIds();
        this.vocabularySize = vocabularySize(root);
        this.tokenCharsMax = tokenCharsMax(root);
        this.fingerprint = fingerprint;
    }

    /** Loads the tokenizer of a Hugging Face directory, or the file itself. */
    public static DjlTokenizer load(Path place) {
        Path file = Files.isRegularFile(place) ? place : place.resolve(NAME);
        JsonNode root = ModelConfigFile.readJson(file);
        DjlSettings.prepare();
        try {
            String fingerprint = fingerprint(Files.readAllBytes(file));
            return new DjlTokenizer(HuggingFaceTokenizer.newInstance(file, WHOLE_TEXTS), root, fingerprint);
        } catch (IOException | RuntimeException e) {
            throw new ModelLoadException("%s is no tokenizer that can be used: %s".formatted(file, e.getMessage()), e);
        }
    }

    @Override
    public int vocabularySize() {
        return vocabularySize;
    }

    @Override
    public int tokenCharsMax() {
        return tokenCharsMax;
    }

    @Override
    public String fingerprint() {
        return fingerprint;
    }

    @Override
    public int[] encode(String text, boolean specialTokens) {
        return Arrays.stream(tokenizer.encode(text, specialTokens, false).getIds())
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    @Override
    public String decode(int[] tokens) {
        return tokenizer.decode(Arrays.stream(tokens).asLongStream().toArray(), true);
    }

    /** Decoded behind another token: some decoders drop the space before a text's first word. */
    @Override
    public String text(int token) {
        long[] both = Arrays.copyOf(neighbour, neighbour.length + 1);
        both[neighbour.length] = token;
        String before = tokenizer.decode(neighbour, false);
        String text = tokenizer.decode(both, false);
        return text.startsWith(before) ? text.substring(before.length()) : tokenizer.decode(new long[] {token}, false);
    }

    @Override
    public TextTokenizer.TextStream stream(int[] before) {
        return new DecodedStream(this, before);
    }

    @Override
    public void close() {
        tokenizer.close();
    }

    private static int vocabularySize(JsonNode root) {
        int highest = -1;
        for (JsonNode id : root.path("model").path("vocab")) {
            highest = Math.max(highest, id.asInt(-1));
        }
        for (JsonNode added : root.path("added_tokens")) {
            highest = Math.max(highest, added.path("id").asInt(-1));
        }
        return highest + 1;
    }

    /** A vocabulary spells its tokens with at least the characters that they stand for. */
    private static int tokenCharsMax(JsonNode root) {
        int longest = TOKEN_CHARS_MIN;
        Iterator<String> tokens = root.path("model").path("vocab").fieldNames();
        while (tokens.hasNext()) {
            longest = Math.max(longest, tokens.next().length());
        }
        for (JsonNode added : root.path("added_tokens")) {
            longest = Math.max(longest, added.path("content").asText().length());
        }
        return longest;
    }

    private static String fingerprint(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return "sha256:" + HexFormat.of().formatHex(digest).substring(0, FINGERPRINT_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
