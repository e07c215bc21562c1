package io.tailrace.schemas;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A lane's identity as text: {@code model@revision/scope}, each part percent-encoded, so that the text is a Kafka key, a
 * path below the store's root and a metric's scope without further care.
 */
public record LaneId(String model, String revision, String scope) {
    public static final int MODEL_CHARS_MAX = 200;
    public static final int REVISION_CHARS_MAX = 100;
    public static final int SCOPE_CHARS_MAX = 200;
    /** Most bytes of {@code model@revision}, and of the scope, as they stand in the lane's text: each is a folder's name in the store. */
    public static final int FOLDER_BYTES_MAX = 255;

    public LaneId {
        check("model", model, MODEL_CHARS_MAX);
        check("revision", revision, REVISION_CHARS_MAX);
        check("scope", scope, SCOPE_CHARS_MAX);
    }

    public static LaneId of(Lane lane) {
        return new LaneId(lane.getModel(), lane.getRevision(), lane.getScope());
    }

    /** Reads the form that {@link #toString} writes. */
    public static LaneId parse(String text) {
        int at = text.indexOf('@');
        int slash = text.indexOf('/', at + 1);
        if (at < 0 || slash < 0) {
            throw new IllegalArgumentException(
                    "lane must read model@revision/scope (each part percent-encoded), got '" + text + "'");
        }
        return new LaneId(
                decode(text.substring(0, at)),
                decode(text.substring(at + 1, slash)),
                decode(text.substring(slash + 1)));
    }

    /** Whether any store has room for the lane's folders. */
    public boolean isStorable() {
        return encode(model).length() + 1 + encode(revision).length() <= FOLDER_BYTES_MAX
                && encode(scope).length() <= FOLDER_BYTES_MAX;
    }

    public Lane toLane() {
        return new Lane(model, revision, scope);
    }

    @Override
    public String toString() {
        return encode(model) + "@" + encode(revision) + "/" + encode(scope);
    }

    /** URL encoding leaves dots alone; a part of dots only would walk the store's folders. */
    private static String encode(String part) {
        String encoded = URLEncoder.encode(part, StandardCharsets.UTF_8);
        return encoded.chars().allMatch(c -> c == '.') ? encoded.replace(".", "%2E") : encoded;
    }

    private static String decode(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static void check(String what, String value, int charsMax) {
        if (value == null || value.isEmpty() || value.length() > charsMax) {
            throw new IllegalArgumentException("%s must have 1 to %d characters, got %s"
                    .formatted(what, charsMax, value == null ? "null" : value.length()));
        }
        if (!isText(value)) {
            throw new IllegalArgumentException(what + " must be text, and has half of a character");
        }
    }

    /** Half of a character has no bytes: written down, lanes that differ in it would be one. */
    private static boolean isText(String value) {
        for (int at = 0; at < value.length(); at += Character.charCount(value.codePointAt(at))) {
            int character = value.codePointAt(at);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                return false;
            }
        }
        return true;
    }
}
