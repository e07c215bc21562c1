package io.tailrace.operators;

import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RetentionChange;
import java.time.Instant;
import java.util.Map;

/**
 * Something about a lane that an operator may want to know.
 *
 * @param policy what is proposed; null else
 * @param retention what is proposed; null else
 * @param anchor what a policy that is proposed is judged against beside the live one; null: nothing
 */
public record Notice(
        EventKind kind,
        String message,
        Map<String, Long> numbers,
        Policy policy,
        RetentionChange retention,
        Policy anchor) {
    public Notice(EventKind kind, String message, Map<String, Long> numbers) {
        this(kind, message, numbers, null, null, null);
    }

    public Notice(EventKind kind, String message, Map<String, Long> numbers, Policy policy, Policy anchor) {
        this(kind, message, numbers, policy, null, anchor);
    }

    public Notice(EventKind kind, String message, Map<String, Long> numbers, RetentionChange retention) {
        this(kind, message, numbers, null, retention, null);
    }

    /**
     * As topic events takes it.
     *
     * @param epoch of the job's claim
     */
    public OutgoingRecord toRecord(String lane, long nowMillis, long epoch) {
        Instant at = Instant.ofEpochMilli(nowMillis);
        Event event =
                new Event(kind, LaneId.parse(lane).toLane(), message, numbers, at, policy, retention, anchor, epoch);
        return OutgoingRecord.of(lane, RecordCodec.EVENT.encode(event));
    }
}
