package io.tailrace.worker.model;

/** One request's place in a model's KV cache. */
public interface ModelSequence extends AutoCloseable {
    /** Committed tokens. */
    int length();

    /**
     * Keeps a path of the last pass's nodes and drops the others: the path's tokens are committed now.
     *
     * @param path nodes of the sequence's input in the last pass, from the first one behind the committed tokens on, each the
     *     parent of the next
     * @param count how many of {@code path} to keep, 0 to its length; 0 drops all
     * @throws IllegalArgumentException if this is not such a path
     * @throws IllegalStateException if there is no pass to commit: none yet, or committed already
     */
    void commit(int[] path, int count);

    /**
     * Says how the nodes of the last pass hang together, where that was not known when it was planned.
     *
     * @param parents as of {@link TreeInput#parents}, as many
     */
    default void revise(int[] parents) {
        throw new UnsupportedOperationException("this model's passes are what they were planned to be");
    }

    /** Keeps all nodes of the last pass, which must be a line: a piece of the prompt, or plain decoding. */
    void commitAll();

    /** Drops committed tokens from the end on, and what the last pass appended. */
    void truncate(int length);

    /** Gives the cache back. A second call does nothing. */
    @Override
    void close();
}
