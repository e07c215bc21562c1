package io.tailrace.operators.publishing;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import java.time.Instant;
import java.util.Map;

/** Something about a lane that an operator may want to know. */
record Notice(EventKind kind, String message, Map<String, Long> numbers) {
    OutgoingRecord toRecord(String lane, long nowMillis) {
        Event event =
                new Event(kind, LaneId.parse(lane).toLane(), message, numbers, Instant.ofEpochMilli(nowMillis), null);
        return OutgoingRecord.of(lane, RecordCodec.EVENT.encode(event));
    }
}
