package io.tailrace.schemas;

import java.time.Instant;

/**
 * Records of topic control, as every reader takes them. A command is as old as it says, since a mirror stamps it anew. But it is no younger than the
 * brokers say: a delete by a clock that is ahead would forget what is still to come, and a command of next year would be the last one until then.
 */
public final class ControlRecords {
    /** Clocks that are no further apart count as one. */
    private static final long CLOCK_SKEW_MILLIS = 1_000;

    private ControlRecords() {}

    /**
     * What a record says.
     *
     * @param stampMillis the record's time by the brokers, epoch milliseconds; negative: it has none
     */
    public static Control decode(byte[] value, long stampMillis) throws UndecodableRecordException {
        return taken(RecordCodec.CONTROL.decode(value), stampMillis);
    }

    /** A command, issued no later than the brokers took it. */
    public static Control taken(Control control, long stampMillis) {
        boolean ahead = stampMillis >= 0 && control.getIssuedAt().toEpochMilli() - CLOCK_SKEW_MILLIS > stampMillis;
        return ahead
                ? Control.newBuilder(control)
                        .setIssuedAt(Instant.ofEpochMilli(stampMillis))
                        .build()
                : control;
    }
}
