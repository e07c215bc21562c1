package io.tailrace.operators.store;

import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.segment.SidecarSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;

/** Where a lane's files lie in the store: {@code segments/<lane>/<sha256>.segment}, and sidecars beside them. */
public final class SegmentLayout {
    private static final String ROOT = "segments/";
    private static final int NAME_CHARS_MAX = 200;
    private static final int HASH_CHARS = 64;
    private static final Pattern SEGMENT_FILE = Pattern.compile(".*/[0-9a-f]{64}\\.(segment|sidecar)");

    private SegmentLayout() {}

    /** A lane's folder; a part of the lane that is too long for a file's name is cut and made unique by its hash. */
    public static String folder(String lane) {
        StringBuilder folder = new StringBuilder(ROOT);
        for (String part : lane.split("/", -1)) {
            folder.append(part.length() <= NAME_CHARS_MAX ? part : cut(part)).append('/');
        }
        return folder.substring(0, folder.length() - 1);
    }

    private static String cut(String part) {
        MessageDigest digest = FileHash.digest();
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        return part.substring(0, NAME_CHARS_MAX - HASH_CHARS - 1) + "~" + FileHash.hex(digest);
    }

    public static String segmentPath(String lane, String sha256) {
        return folder(lane) + "/" + sha256 + ".segment";
    }

    public static String sidecarPath(String lane, String sha256) {
        return folder(lane) + "/" + sha256 + ".sidecar";
    }

    /** Whether a path has the name of a segment or a sidecar. What a process that was killed was writing has another one. */
    public static boolean isSegmentFile(String path) {
        return SEGMENT_FILE.matcher(path).matches();
    }

    /** The hash that a path's file name claims. */
    public static String sha256(String path) {
        int slash = path.lastIndexOf('/');
        int dot = path.lastIndexOf('.');
        if (dot <= slash) {
            throw new IllegalArgumentException("a stored file is named <sha256>.<kind>, got '" + path + "'");
        }
        return path.substring(slash + 1, dot);
    }

    /** Puts a segment and its sidecar; the segment is durable last, so that one never lies there without a sidecar. */
    public static StoredSegment put(DurableStore store, String lane, Compaction.Files files, SegmentSummary summary)
            throws IOException {
        String path = segmentPath(lane, summary.sha256());
        SidecarSize sidecar = SidecarSize.of(files.sidecar());
        String sidecarSha256 = FileHash.sha256(files.sidecar());
        String sidecarPath = sidecarPath(lane, sidecarSha256);
        store.put(files.sidecar(), sidecarPath, sidecarSha256);
        store.put(files.segment(), path, summary.sha256());
        return new StoredSegment(
                path,
                sidecarPath,
                summary.sha256(),
                summary.sizeBytes(),
                summary.documents(),
                summary.textTokens(),
                summary.liveTokens(),
                summary.newestCompletedAtMillis(),
                sidecar.bytes(),
                sidecar.producers());
    }
}
