package io.tailrace.lab.logs;

import java.util.Map;
import java.util.TreeMap;

/** What a log held: requests, and records that are none, by reason. One thread. */
final class LogTally {
    private final Map<String, Long> passed = new TreeMap<>();
    private long requests;

    void request() {
        requests++;
    }

    /** A record was passed over. */
    void pass(String reason) {
        passed.merge(reason, 1L, Long::sum);
    }

    String describe() {
        StringBuilder text = new StringBuilder("%,d requests".formatted(requests));
        passed.forEach((reason, count) -> text.append(", %,d passed over (%s)".formatted(count, reason)));
        return text.toString();
    }
}
