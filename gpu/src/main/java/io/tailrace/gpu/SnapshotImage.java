package io.tailrace.gpu;

import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.draft.SourceKind;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A snapshot as it goes to a device: verified segment files, unchanged, what they say of each token, and the policy.
 *
 * @param parts older segments, then the newest, then the worker's own fresh one; at most five
 * @param vocabulary what the snapshot says of each token; the same object is not uploaded again
 * @param weights mixer weights
 * @param probabilityFloor no node below this path probability is drafted
 */
public record SnapshotImage(List<Part> parts, LaneVocabulary vocabulary, float[] weights, float probabilityFloor) {
    /** Most parts of a lane. */
    public static final int PARTS_MAX = 5;

    public SnapshotImage {
        parts = List.copyOf(parts);
        if (parts.size() > PARTS_MAX) {
            throw new IllegalArgumentException("a snapshot must have at most " + PARTS_MAX + " parts on a device, got "
                    + parts.size() + "; draft on the host");
        }
        for (int i = 1; i < parts.size(); i++) {
            if (parts.get(i).kind().index() < parts.get(i - 1).kind().index()) {
                throw new IllegalArgumentException("parts must stand in order older, newest, fresh; got "
                        + parts.get(i).kind() + " after " + parts.get(i - 1).kind());
            }
        }
    }

    /** Bytes of the vocabulary and all files. */
    public long bytes() {
        return VocabularyImage.bytes(vocabulary)
                + parts.stream().mapToLong(part -> part.bytes().remaining()).sum();
    }

    /**
     * One segment file.
     *
     * @param name its SHA-256, or what else no other text of the lane has: what a device holds already is not uploaded again, and requests that
     *     follow an answer in it go on following
     * @param bytes all of it, a direct buffer
     */
    public record Part(SourceKind kind, String name, ByteBuffer bytes) {
        public Part {
            if (kind != SourceKind.OLDER && kind != SourceKind.NEWEST && kind != SourceKind.FRESH) {
                throw new IllegalArgumentException("a part must be of kind OLDER, NEWEST or FRESH, got " + kind);
            }
            if (!bytes.isDirect()) {
                throw new IllegalArgumentException("part " + name + " must be a direct buffer");
            }
        }
    }
}
