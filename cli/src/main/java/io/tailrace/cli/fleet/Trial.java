package io.tailrace.cli.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was tried on a lane, and how it ended: a policy, or that generations leave.
 *
 * @param number the trial's; -1: it had none, since nothing was judged
 * @param subject {@code policy} or {@code retention}
 * @param beganAt null: it was given unjudged, or began before what was read
 * @param proposed what was to be judged; empty: not known
 * @param endedAt null: it is still being judged
 * @param verdict {@code running}, {@code adopted}, {@code refused}, {@code withdrawn} or {@code forced}
 * @param said what the judge said; empty: nothing yet
 */
public record Trial(
        long number, String subject, Instant beganAt, String proposed, Instant endedAt, String verdict, String said) {
    private static final String RUNNING = "running";

    /**
     * The trials that events tell of, the one told of last first.
     *
     * @param learning of one lane, in the order in which they came; others than of trials are left out
     */
    static List<Trial> of(List<HeardEvent> learning) {
        Map<String, Trial> open = new LinkedHashMap<>();
        List<Trial> ended = new ArrayList<>();
        for (HeardEvent event : learning) {
            String[] words = event.kind().name().toLowerCase(Locale.ROOT).split("_", 2);
            if (words.length < 2 || !(words[0].equals("policy") || words[0].equals("retention"))) {
                continue;
            }
            long number = event.numbers().getOrDefault("trial", -1L);
            String key = words[0] + " " + number;
            if (words[1].equals("proposed")) {
                open.put(key, new Trial(number, words[0], event.at(), event.message(), null, RUNNING, ""));
            } else {
                Trial began = open.remove(key);
                ended.add(new Trial(
                        number,
                        words[0],
                        began == null ? null : began.beganAt(),
                        began == null ? "" : began.proposed(),
                        event.at(),
                        words[1],
                        event.message()));
            }
        }
        ended.addAll(open.values());
        Collections.reverse(ended);
        return ended;
    }

    public boolean isRunning() {
        return verdict.equals(RUNNING);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("trial", number);
        json.put("subject", subject);
        json.put("beganAt", beganAt == null ? null : beganAt.toString());
        json.put("proposed", proposed);
        json.put("endedAt", endedAt == null ? null : endedAt.toString());
        json.put("verdict", verdict);
        json.put("said", said);
        return json;
    }
}
