package io.tailrace.worker.model;

/**
 * A pass that is planned and has not run: its inputs in memory, where a device may write what it knows and the host does not, the
 * tokens of drafts and how they hang together.
 *
 * @param memory whose memory it is: {@code cpu} or {@code cuda:N}
 * @param tokens address of the nodes' token ids, 64 bits each
 * @param positions address of the nodes' positions, 64 bits each
 * @param blocked address of the cells that say where a node must not look: a byte each, 1 where not
 * @param vocabulary token ids are below it
 * @param seats where the nodes stand
 */
public record PlannedPass(String memory, long tokens, long positions, long blocked, int vocabulary, Seats seats) {
    /** Where the nodes of the batch stand. */
    public interface Seats {
        /** The place of an input's node, which hangs on the last node of the line before it. */
        Seat of(int input, int node);
    }

    /**
     * Where a node stands; the input's next nodes follow it, one row and one column further each.
     *
     * @param cell of its row and its own column
     * @param row its place among tokens and positions
     * @param columns cells of a row
     * @param position of the node before it
     */
    public record Seat(long cell, int row, int columns, int position) {}
}
