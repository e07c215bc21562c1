package io.tailrace.worker.http;

/**
 * What callers may learn of drafting, and so of what others in their scope were answered.
 *
 * @param reports whether a caller may ask what drafting did for a request
 * @param eventMillis one token an event, on a grid of so many milliseconds from the call on; 0: the tokens of a step at once, when they are there
 */
public record DraftVisibility(boolean reports, int eventMillis) {
    /** Largest spacing. */
    public static final int EVENT_MILLIS_MAX = 10_000;

    public DraftVisibility {
        if (eventMillis < 0 || eventMillis > EVENT_MILLIS_MAX) {
            throw new IllegalArgumentException(
                    "eventMillis must be 0 to %d, got %d".formatted(EVENT_MILLIS_MAX, eventMillis));
        }
        if (reports && eventMillis > 0) {
            throw new IllegalArgumentException(
                    "reports tell what a spacing of %d ms hides; leave one of them out".formatted(eventMillis));
        }
    }

    /** No reports; tokens when they are there. */
    public static DraftVisibility defaults() {
        return new DraftVisibility(false, 0);
    }

    /** Whether sizes and times of events are to tell nothing. */
    boolean spaced() {
        return eventMillis > 0;
    }
}
