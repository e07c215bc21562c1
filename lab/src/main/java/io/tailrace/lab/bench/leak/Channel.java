package io.tailrace.lab.bench.leak;

/** One thing that a caller can see of drafting, as a score: higher, the more was drafted from what the scope was answered. */
enum Channel {
    /** What the per-request report says was accepted, a step. */
    REPORT("report"),
    /** Tokens of an event. */
    SIZES("event sizes"),
    /** Time between events, which a verified draft makes longer. */
    GAPS("event times"),
    /** How much sooner the last event comes than without drafts, for which every caller may ask. */
    LAST("last event"),
    /** The same of a whole answer. */
    WHOLE("whole answer"),
    /** Accepted tokens on the metrics page, where a caller can reach it. */
    METRICS("metrics page");

    private final String title;

    Channel(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The score of what was seen. */
    double score(Sight sight) {
        Observation streamed = sight.streamed();
        return switch (this) {
            case REPORT -> streamed.steps() == 0 ? 0 : (double) streamed.accepted() / streamed.steps();
            case SIZES -> streamed.events() == 0 ? 0 : (double) streamed.tokens() / streamed.events();
            case GAPS -> streamed.gapNanos();
            case LAST -> (double) sight.streamedPlain().lastNanos() / streamed.lastNanos();
            case WHOLE ->
                (double) sight.wholePlain().lastNanos() / sight.whole().lastNanos();
            case METRICS -> sight.acceptedOnPage();
        };
    }

    /**
     * All that a caller sees when it asks the same in every way.
     *
     * @param streamed with drafts
     * @param streamedPlain without
     * @param whole with drafts
     * @param wholePlain without
     * @param acceptedOnPage accepted tokens that the metrics page counted for the streamed answer
     */
    record Sight(
            Observation streamed,
            Observation streamedPlain,
            Observation whole,
            Observation wholePlain,
            double acceptedOnPage) {}
}
