package io.tailrace.cli.fleet;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of a request's generations.
 *
 * @param found in the order in which they were written; empty: nothing is known of the request
 * @param complete false: topic generations was not read to its end, so there may be more
 */
public record GenerationTrace(String requestId, List<Found> found, boolean complete) {
    /** How a generation stands. */
    public enum Standing {
        /** Versions hold it. */
        ACCEPTED,
        /** It is in no version yet. */
        WAITING,
        /** An earlier one of the same request was there. */
        REPEAT,
        REJECTED,
        DELETED
    }

    /**
     * One generation.
     *
     * @param lane as text; empty: unknown
     * @param completedAt null: unknown
     * @param tokens of its response; -1: unknown
     * @param versions that hold it, by the offsets that they name, oldest first
     * @param why it was rejected; empty: it was not
     */
    public record Found(
            Standing standing,
            String lane,
            String producer,
            String place,
            Instant completedAt,
            int tokens,
            List<Long> versions,
            String why) {
        private Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("standing", standing.name());
            json.put("lane", lane);
            json.put("producer", producer);
            json.put("place", place);
            json.put("completedAt", completedAt == null ? null : completedAt.toString());
            json.put("responseTokens", tokens);
            json.put("heldBy", versions);
            json.put("why", why);
            return json;
        }

        /** The versions in words. */
        public String held() {
            return switch (versions.size()) {
                case 0 -> "-";
                case 1 -> versions.get(0).toString();
                default ->
                    "%d versions, %d to %d"
                            .formatted(versions.size(), versions.get(0), versions.get(versions.size() - 1));
            };
        }
    }

    /** Whether one was accepted, or is about to be. */
    public boolean isAccepted() {
        return found.stream()
                .anyMatch(one -> one.standing() == Standing.ACCEPTED || one.standing() == Standing.WAITING);
    }

    /** The answer in a sentence. */
    public String sentence() {
        if (!found.isEmpty()) {
            return "request %s: %s"
                    .formatted(
                            requestId,
                            String.join(
                                    ", ",
                                    found.stream()
                                            .map(one -> one.standing().name().toLowerCase(java.util.Locale.ROOT))
                                            .toList()));
        }
        return complete
                ? "request %s: unknown; topics generations and rejections do not hold it, or no longer"
                        .formatted(requestId)
                : "request %s: not found in time; topic generations was not read to its end".formatted(requestId);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("requestId", requestId);
        json.put("accepted", isAccepted());
        json.put("complete", complete);
        json.put("found", found.stream().map(Found::json).toList());
        return json;
    }
}
