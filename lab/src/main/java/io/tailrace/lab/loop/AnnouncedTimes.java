package io.tailrace.lab.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;

/** How long generations took from their completion to their announcement. One thread at a time. */
final class AnnouncedTimes {
    private final Histogram millis = new Histogram(2);
    private Instant completedAtMin = Instant.MIN;

    /** Those of all generations that count. */
    Histogram millis() {
        return millis;
    }

    /** Begins anew: only what was completed then or later counts. */
    void from(Instant completedAtMin) {
        this.completedAtMin = completedAtMin;
        millis.reset();
    }

    /** Adds what one announcement brought. */
    void add(List<Instant> completed, Instant announcedAt) {
        for (Instant completedAt : completed) {
            if (!completedAt.isBefore(completedAtMin)) {
                millis.recordValue(
                        Math.max(0, Duration.between(completedAt, announcedAt).toMillis()));
            }
        }
    }
}
