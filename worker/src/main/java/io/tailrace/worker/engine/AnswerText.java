package io.tailrace.worker.engine;

import io.tailrace.worker.model.TextTokenizer;
import java.util.List;

/**
 * The text of one answer as its tokens come. Text that could be the beginning of a stop string is held back until it is known
 * not to be one; the stop string itself is never shown. One thread.
 */
public final class AnswerText {
    private final TextTokenizer.TextStream stream;
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean stopped;

    /**
     * An empty answer.
     *
     * @param stops none of them empty; the earliest in the text ends the answer
     */
    public AnswerText(TextTokenizer.TextStream stream, List<String> stops) {
        this.stream = stream;
        this.stops = List.copyOf(stops);
    }

    /** Takes a token; returns the text that may be shown now. After a stop string it takes nothing more. */
    public String append(int token) {
        return stopped ? "" : show(stream.append(token), false);
    }

    /** The rest, when no token follows. */
    public String finish() {
        return stopped ? "" : show(stream.finish(), true);
    }

    /** Whether a stop string has come. */
    public boolean stopped() {
        return stopped;
    }

    private String show(String added, boolean last) {
        if (stops.isEmpty()) {
            return added;
        }
        held.append(added);
        int stop = earliestStop();
        stopped = stop >= 0;
        int end = stopped ? stop : last ? held.length() : held.length() - heldBack();
        String shown = held.substring(0, end);
        held.delete(0, end);
        return shown;
    }

    private int earliestStop() {
        int earliest = -1;
        for (String stop : stops) {
            int at = held.indexOf(stop);
            if (at >= 0 && (earliest < 0 || at < earliest)) {
                earliest = at;
            }
        }
        return earliest;
    }

    /** Length of the longest end of the text that begins a stop string. */
    private int heldBack() {
        int longest = 0;
        for (String stop : stops) {
            for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
                if (stop.startsWith(held.substring(held.length() - length))) {
                    longest = length;
                }
            }
        }
        return longest;
    }
}
