package io.tailrace.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Key of a version on topic snapshots: the lane's text, {@code #}, the version. Compaction and withdrawals go by it, so a manifest under another key
 * would outlive its withdrawal: no reader takes it.
 */
public record SnapshotKey(LaneId lane, long version) {
    /** The key that a manifest belongs under. */
    public static SnapshotKey of(SnapshotManifest manifest) {
        return new SnapshotKey(LaneId.of(manifest.getLane()), manifest.getVersion());
    }

    /**
     * Reads a record's key.
     *
     * @throws IllegalArgumentException if it is none, or one that no job writes so
     */
    public static SnapshotKey parse(byte[] key) {
        String text = key == null ? "" : new String(key, StandardCharsets.UTF_8);
        int hash = text.lastIndexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("a snapshot's key reads lane#version");
        }
        SnapshotKey parsed =
                new SnapshotKey(LaneId.parse(text.substring(0, hash)), Long.parseLong(text.substring(hash + 1)));
        parsed.require(key);
        return parsed;
    }

    /** Refuses a record under any other key. */
    public void require(byte[] key) {
        if (!Arrays.equals(bytes(), key)) {
            throw new IllegalArgumentException(
                    "what version %d of lane %s says lies under another key".formatted(version, lane));
        }
    }

    public byte[] bytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return lane + "#" + version;
    }
}
