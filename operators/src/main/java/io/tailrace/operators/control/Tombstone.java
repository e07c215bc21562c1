package io.tailrace.operators.control;

import io.tailrace.schemas.Command;

/**
 * What a delete asks one lane to forget: generations completed by {@code issuedAt}, in its millisecond too, all of them or one request's, whose producer's
 * clock may have been ahead.
 *
 * @param commandId of the delete
 * @param wholeScope true: every request; the hash is then 0
 * @param issuedAt epoch milliseconds
 * @param sequence position in its lane, from 1; a segment rewritten with sequence n holds nothing that tombstones up to n forbid
 * @param heardAt when its lane took it up, epoch milliseconds: its time to be done in counts from then
 */
public record Tombstone(
        String commandId,
        boolean wholeScope,
        long requestHigh,
        long requestLow,
        long issuedAt,
        long sequence,
        long heardAt) {
    public static Tombstone of(ControlCommand command, long sequence, long heardAt) {
        return new Tombstone(
                command.commandId(),
                command.command() == Command.DELETE_SCOPE,
                command.requestHigh(),
                command.requestLow(),
                command.issuedAt(),
                sequence,
                heardAt);
    }

    /** The same, taken up then. */
    public Tombstone heardBy(long millis) {
        return new Tombstone(commandId, wholeScope, requestHigh, requestLow, issuedAt, sequence, millis);
    }
}
