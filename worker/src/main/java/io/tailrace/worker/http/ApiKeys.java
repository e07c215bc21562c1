package io.tailrace.worker.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** API keys, each with a scope, or another word. Read from a file: a line {@code KEY} or {@code KEY SCOPE} each; {@code #} begins a comment. */
public final class ApiKeys {
    private static final String BEARER = "Bearer ";

    private ApiKeys() {}

    /**
     * Reads a file.
     *
     * @param form of its lines, as people are told it, such as {@code KEY SCOPE}
     * @param scope of keys that name none
     * @throws IllegalArgumentException if a line is not understood or there is no key; it never repeats the line
     */
    public static Map<String, String> read(Path file, String form, String scope) throws IOException {
        Map<String, String> scopeByKey = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                String[] parts = line.split("\\s+", -1);
                if (parts.length > 2 || scopeByKey.put(parts[0], parts.length == 2 ? parts[1] : scope) != null) {
                    throw new IllegalArgumentException(
                            "%s line %d: expected %s, each key once".formatted(file, i + 1, form));
                }
            }
        }
        if (scopeByKey.isEmpty()) {
            throw new IllegalArgumentException(file + " has no key; write one a line");
        }
        return scopeByKey;
    }

    /** The scope of the key in an Authorization header, or null; takes as long for a key that is nearly right. */
    public static String scopeOf(Map<String, String> scopeByKey, String authorization) {
        if (authorization == null || !authorization.startsWith(BEARER)) {
            return null;
        }
        byte[] given = authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
        String found = null;
        for (Map.Entry<String, String> known : scopeByKey.entrySet()) {
            if (MessageDigest.isEqual(known.getKey().getBytes(StandardCharsets.UTF_8), given)) {
                found = known.getValue();
            }
        }
        return found;
    }
}
