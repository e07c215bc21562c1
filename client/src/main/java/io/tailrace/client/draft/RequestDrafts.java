package io.tailrace.client.draft;

/** What a source keeps of one request, from its begin to its end. */
public interface RequestDrafts extends AutoCloseable {
    /** Version of the snapshot drafted from last; 0: none. */
    long snapshotVersion();

    /** What the request's drafts have taught so far. */
    DraftLearning learned();

    /** The request has ended. In the middle of a step its part in that teaches nothing any more. */
    @Override
    void close();
}
