package io.tailrace.agent.protocol;

/** What a STEP asks for; the calls come in the frame's order. */
public interface StepOperations {
    void begin(BeginOperation request) throws RefusedEngineException;

    /** Where a request's tokens are, with room for so many more behind {@link #length}. */
    int[] room(int request, int more) throws RefusedEngineException;

    /** How many tokens a request has. */
    int length(int request) throws RefusedEngineException;

    /**
     * A request has said more; it stands in its room.
     *
     * @param verified how many nodes of its last draft
     * @param count tokens said
     */
    void extend(int request, int verified, int count) throws RefusedEngineException;

    void end(int request, EndReason reason, long atMillis) throws RefusedEngineException;

    void draft(int request, int tokensMax) throws RefusedEngineException;
}
