package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.util.Map;
import java.util.TreeMap;

/** What a log held: requests, and records that are none, by reason and with the first one's place. One thread. */
final class LogTally {
    private final Map<String, Passed> passed = new TreeMap<>();
    private Position position;
    private long requests;
    private String order = "";

    private record Passed(long count, Position first) {
        private Passed and(Passed other) {
            return new Passed(count + other.count, first.number() <= other.first.number() ? first : other.first);
        }
    }

    /** A record is being read. */
    void at(Position position) {
        this.position = position;
    }

    /** Where the record stands that is being read. */
    Position position() {
        return position;
    }

    void request() {
        requests++;
    }

    /** The record was passed over. */
    void pass(String reason) {
        passed.merge(reason, new Passed(1, position), Passed::and);
    }

    /** The requests keep their order, since some cannot be placed. */
    void unsorted(long untimed, Position first) {
        order = ", not sorted (times that are missing or cannot be read: %,d; first: %s)"
                .formatted(untimed, first.within());
    }

    String describe() {
        StringBuilder text = new StringBuilder("%,d requests".formatted(requests));
        passed.forEach((reason, all) ->
                text.append(", %,d passed over (%s; first: %s)".formatted(all.count, reason, all.first.within())));
        return text.append(order).toString();
    }
}
