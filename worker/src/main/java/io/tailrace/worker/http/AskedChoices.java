package io.tailrace.worker.http;

/** How many answers a call asks for. All are decoded at the same time, so there are never more than the worker takes. */
final class AskedChoices {
    private AskedChoices() {}

    /**
     * Answers to each prompt.
     *
     * @param requestsMax most answers of one call
     */
    static int each(CallBody body, int prompts, int requestsMax, DraftVisibility visibility) {
        int each = body.n() == null ? 1 : body.n();
        if (each < 1) {
            throw ApiException.invalid("n", "n must be at least 1, got " + each);
        }
        requireRoom("n", (long) each * prompts, requestsMax);
        if (body.bestOf() != null && body.bestOf() != each) {
            throw ApiException.unsupported(
                    "best_of",
                    "best_of must be n, which is %d, got %d: no answer is thrown away".formatted(each, body.bestOf()));
        }
        String several = each > 1 ? "n" : "prompt";
        if (each * prompts > 1 && visibility.spaced()) {
            throw ApiException.unsupported(
                    several, "this worker spaces its events, and answers one prompt once a call; make a call for each");
        }
        if (each * prompts > 1 && body.report()) {
            throw ApiException.unsupported(
                    "tailrace.report", "a report is of one answer: ask with one prompt and n 1, or for none");
        }
        return each;
    }

    /** Refuses more answers than the worker could ever take. */
    static void requireRoom(String name, long choices, int requestsMax) {
        if (choices > requestsMax) {
            throw ApiException.invalid(
                    name,
                    "a call may ask for at most %d answers, n to each prompt, got %d".formatted(requestsMax, choices));
        }
    }
}
