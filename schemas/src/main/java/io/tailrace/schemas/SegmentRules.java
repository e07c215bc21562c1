package io.tailrace.schemas;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a record must keep to that names segment files. Readers build file names and store paths of what it says, and delete files by it: a
 * hash with {@code ../} in it would reach beyond their folders. So no such record is decoded, whoever reads it.
 */
final class SegmentRules {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    /** Of the parts of a path: neither separators nor drives nor anything that is not printed. */
    private static final Pattern PART = Pattern.compile("[^/\\\\:\\p{Cntrl}]{1,255}");

    private static final int PATH_CHARS_MAX = 1_024;

    private SegmentRules() {}

    /** @throws IllegalArgumentException if a rule is broken; it says which */
    static void check(SnapshotManifest manifest) {
        require(manifest.getVersion() > 0, "a version is above 0");
        manifest.getSegments().forEach(SegmentRules::check);
    }

    /** @throws IllegalArgumentException if a rule is broken; it says which */
    static void check(Event event) {
        if (event.getRetention() != null) {
            event.getRetention().getReplaced().forEach(SegmentRules::checkSha256);
            event.getRetention().getSegments().forEach(SegmentRules::check);
        }
    }

    private static void check(SegmentReference segment) {
        checkSha256(segment.getSha256());
        checkPath(segment.getPath());
        require(segment.getSizeBytes() >= 0, "a segment's size is not negative");
    }

    private static void checkSha256(String sha256) {
        require(SHA256.matcher(sha256).matches(), "a segment's sha256 has 64 lower-case hexadecimal digits");
    }

    private static void checkPath(String path) {
        require(path.length() <= PATH_CHARS_MAX, "a segment's path has " + PATH_CHARS_MAX + " characters at most");
        for (String part : List.of(path.split("/", -1))) {
            boolean plain = PART.matcher(part).matches() && !part.equals(".") && !part.equals("..");
            require(plain, "a segment's path is relative to the store's root, with plain parts");
        }
    }

    private static void require(boolean condition, String rule) {
        if (!condition) {
            throw new IllegalArgumentException(rule);
        }
    }
}
