package io.tailrace.cli.fleet;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rejection, without the record's bytes.
 *
 * @param requestId null: it could not be decoded
 * @param lane as text; empty: it could not be decoded
 */
public record HeardRejection(
        Instant at,
        RejectionReason reason,
        String detail,
        String topic,
        int partition,
        long offset,
        String requestId,
        String lane)
        implements Heard {
    static HeardRejection of(Rejection rejection) {
        return new HeardRejection(
                rejection.getRejectedAt(),
                rejection.getReason(),
                Shown.text(rejection.getDetail()),
                Shown.text(rejection.getTopic()),
                rejection.getPartition(),
                rejection.getOffset(),
                Shown.text(rejection.getRequestId()),
                lane(rejection));
    }

    /** A lane that broke the rule for lanes' names has none. */
    private static String lane(Rejection rejection) {
        try {
            return rejection.getLane() == null
                    ? ""
                    : LaneId.of(rejection.getLane()).toString();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Where the refused record stands. */
    public String place() {
        return "%s-%d at offset %d".formatted(topic, partition, offset);
    }

    @Override
    public String line() {
        return "%s  %s  %s  %s  request %s: %s"
                .formatted(
                        at, reason, lane.isEmpty() ? "-" : lane, place(), requestId == null ? "-" : requestId, detail);
    }

    @Override
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", at.toString());
        json.put("reason", reason.name());
        json.put("detail", detail);
        json.put("topic", topic);
        json.put("partition", partition);
        json.put("offset", offset);
        json.put("requestId", requestId);
        json.put("lane", lane);
        return json;
    }
}
