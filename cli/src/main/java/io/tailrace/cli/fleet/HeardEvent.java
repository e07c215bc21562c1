package io.tailrace.cli.fleet;

import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An event, without the policies and segments that it may carry.
 *
 * @param lane as text; empty: of the whole installation
 */
public record HeardEvent(Instant at, EventKind kind, String lane, String message, Map<String, Long> numbers)
        implements Heard {
    private static final int NUMBERS_MAX = 32;

    static HeardEvent of(Event event) {
        Map<String, Long> numbers = new TreeMap<>();
        event.getNumbers().entrySet().stream()
                .limit(NUMBERS_MAX)
                .forEach(number -> numbers.put(Shown.text(number.getKey()), number.getValue()));
        return new HeardEvent(
                event.getAt(),
                event.getKind(),
                event.getLane() == null ? "" : LaneId.of(event.getLane()).toString(),
                Shown.text(event.getMessage()),
                numbers);
    }

    /** Whether it says what the job accounts for, as it does each second. */
    public boolean isAccount() {
        return kind == EventKind.ACCOUNTING;
    }

    /** Whether learning is what it tells of. */
    boolean isLearning() {
        String name = kind.name();
        return name.startsWith("POLICY_") || name.startsWith("RETENTION_") || name.startsWith("DRIFT");
    }

    /** Whether a drift alarm began or ended. */
    public boolean isDrift() {
        return kind == EventKind.DRIFT || kind == EventKind.DRIFT_ENDED;
    }

    /** The numbers as text. */
    public String figures() {
        return numbers.entrySet().stream()
                .map(number -> number.getKey() + "=" + number.getValue())
                .collect(Collectors.joining(" "));
    }

    @Override
    public String line() {
        return "%s  %s  %s  %s  %s"
                .formatted(at, kind, lane.isEmpty() ? "-" : lane, message, figures())
                .stripTrailing();
    }

    @Override
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", at.toString());
        json.put("kind", kind.name());
        json.put("lane", lane);
        json.put("message", message);
        json.put("numbers", numbers);
        return json;
    }
}
