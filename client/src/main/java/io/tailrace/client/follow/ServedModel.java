package io.tailrace.client.follow;

import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.segment.SegmentIdentity;

/**
 * The one model a worker serves; its lanes differ by scope only.
 *
 * @param model name as the fleet serves it
 * @param revision revision of the weights
 * @param vocabularySize token ids are below it
 * @param tokenizerFingerprint names the tokenizer, 1 to 64 bytes of UTF-8; a snapshot of another one is refused
 */
public record ServedModel(String model, String revision, int vocabularySize, String tokenizerFingerprint) {
    public ServedModel {
        if (vocabularySize < 1) {
            throw new IllegalArgumentException("vocabularySize must be at least 1, got " + vocabularySize);
        }
        if (tokenizerFingerprint == null || tokenizerFingerprint.isEmpty()) {
            throw new IllegalArgumentException("tokenizerFingerprint must have at least 1 character");
        }
        checkSegments(new LaneId(model, revision, "any"), vocabularySize, tokenizerFingerprint);
    }

    /** The limits of a lane hold for model and revision whatever the scope, and those of its segments for the tokenizer. */
    private static void checkSegments(LaneId any, int vocabularySize, String tokenizerFingerprint) {
        SegmentIdentity unused = new SegmentIdentity(any.toString(), vocabularySize, tokenizerFingerprint);
    }

    public LaneId lane(String scope) {
        return new LaneId(model, revision, scope);
    }

    public boolean serves(Lane lane) {
        return model.equals(lane.getModel()) && revision.equals(lane.getRevision());
    }

    /** What segments of a lane must say of themselves. */
    public SegmentIdentity identity(LaneId lane) {
        return new SegmentIdentity(lane.toString(), vocabularySize, tokenizerFingerprint);
    }
}
