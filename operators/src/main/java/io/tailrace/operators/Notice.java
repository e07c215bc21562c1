package io.tailrace.operators;

import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.Map;

/**
 * Something about a lane that an operator may want to know.
 *
 * @param policy what is proposed; null else
 */
public record Notice(EventKind kind, String message, Map<String, Long> numbers, Policy policy) {
    public Notice(EventKind kind, String message, Map<String, Long> numbers) {
        this(kind, message, numbers, null);
    }

    /** As topic events takes it. */
    public OutgoingRecord toRecord(String lane, long nowMillis) {
        Event event =
                new Event(kind, LaneId.parse(lane).toLane(), message, numbers, Instant.ofEpochMilli(nowMillis), policy);
        return OutgoingRecord.of(lane, RecordCodec.EVENT.encode(event));
    }
}
