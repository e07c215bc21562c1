package io.tailrace.cli.console;

import io.tailrace.terminal.BadInputException;
import io.tailrace.worker.http.ApiKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;

/** Who may change something: operators by name, each with a key, which browsers send as HTTP Basic authentication has it. */
final class Operators {
    private static final String BASIC = "Basic ";
    /** Keys are made, not remembered: nobody finds one by trying. */
    private static final int KEY_CHARS_MIN = 20;

    private final Map<String, String> nameByKey;

    private Operators(Map<String, String> nameByKey) {
        this.nameByKey = nameByKey;
    }

    /**
     * Reads a file with a line {@code KEY NAME} each.
     *
     * @throws BadInputException if it cannot be read, a line has no name, or a key is short; it never repeats a key
     */
    static Operators read(Path file) {
        Map<String, String> nameByKey;
        try {
            nameByKey = ApiKeys.read(file, "KEY NAME", "");
        } catch (IOException e) {
            throw new BadInputException("--operators: %s cannot be read: %s".formatted(file, e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--operators: " + e.getMessage(), e);
        }
        if (nameByKey.containsValue("")) {
            throw new BadInputException(
                    "--operators: %s: a line must be KEY NAME, one has no name; the name is written with each command"
                            .formatted(file));
        }
        if (nameByKey.keySet().stream().anyMatch(key -> key.length() < KEY_CHARS_MIN)) {
            throw new BadInputException(
                    "--operators: %s: a key must have %d characters or more; make one with 'openssl rand -hex 32'"
                            .formatted(file, KEY_CHARS_MIN));
        }
        return new Operators(nameByKey);
    }

    /** The operator whose name and key an Authorization header has; null: nobody's. */
    String signedOn(String authorization) {
        if (authorization == null || !authorization.startsWith(BASIC)) {
            return null;
        }
        String[] parts =
                decoded(authorization.substring(BASIC.length()).strip()).split(":", 2);
        String name = parts.length < 2 ? null : ApiKeys.scopeOf(nameByKey, "Bearer " + parts[1]);
        return parts[0].equals(name) ? name : null;
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
