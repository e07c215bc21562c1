package io.tailrace.agent.protocol;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;

/** Writes DRAFTS, as an agent does. Reused; one thread. */
public final class DraftsWriter {
    /** In place of a source's number: none names the node. */
    private static final int NO_SOURCE = SourceKind.values().length;

    private final FrameWriter frame;

    /** @param frame is filled */
    public DraftsWriter(FrameWriter frame) {
        this.frame = frame;
    }

    /**
     * Begins the answer to a STEP.
     *
     * @param sequence the STEP's
     * @param reports what ended in STEPs up to this one is safe
     * @param off whether the policy says not to draft
     * @param pause in so many STEPs after this one every draft would be empty; 0 to {@link FrameFormat#PAUSE_MAX}
     * @param count of drafts that follow
     */
    public void begin(long sequence, long reports, boolean off, int pause, int count) {
        frame.begin(FrameFormat.DRAFTS, sequence)
                .i64(reports)
                .u32((off ? FrameFormat.POLICY_OFF : 0) | pause << FrameFormat.PAUSE_SHIFT)
                .u32(count);
    }

    /** Its next draft: the first nodes of one. */
    public void draft(int request, Draft draft, int nodes) {
        frame.u32(request).u32(nodes);
        for (int node = 0; node < nodes; node++) {
            frame.u32(draft.token(node));
        }
        for (int node = 0; node < nodes; node++) {
            frame.u32(draft.parent(node));
        }
        for (int node = 0; node < nodes; node++) {
            frame.f32(draft.probability(node));
        }
        for (int node = 0; node < nodes; node++) {
            frame.u32(
                    draft.source(node) == null ? NO_SOURCE : draft.source(node).index());
        }
    }
}
