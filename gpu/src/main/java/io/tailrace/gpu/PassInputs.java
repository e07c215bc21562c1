package io.tailrace.gpu;

import java.util.List;

/**
 * The inputs of a forward pass in memory, before it runs: planned for drafts that nobody on the host has seen.
 *
 * @param memory whose memory it is: {@code cpu} or {@code cuda:N}
 * @param tokens address of the rows' token ids, 64 bits each
 * @param positions address of the rows' positions, 64 bits each
 * @param blocked address of the cells that say where a row must not look: a byte each, 1 where not
 * @param vocabulary token ids are below it
 * @param seats for each batch entry where its draft stands; {@link Seat#NONE} for an entry without
 */
public record PassInputs(String memory, long tokens, long positions, long blocked, int vocabulary, List<Seat> seats) {
    /**
     * Rows for a draft. Those past the draft's end become padding, which sees its context and itself.
     *
     * @param cell of the first row and its own column, among {@code blocked}
     * @param row the first row's place among tokens and positions
     * @param width rows
     * @param columns cells of a row
     * @param position of the context's last token
     */
    public record Seat(long cell, int row, int width, int columns, int position) {
        /** No rows. */
        public static final Seat NONE = new Seat(0, 0, 0, 0, 0);
    }
}
