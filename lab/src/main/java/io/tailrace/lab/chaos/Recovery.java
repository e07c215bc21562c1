package io.tailrace.lab.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * From a heal on: whether what was struck works again.
 *
 * @param struck what has to
 * @param atHeal what was to be seen then
 */
record Recovery(Struck struck, Observation atHeal) {
    /** What is still to come, in words; none: all that was struck works. */
    List<String> missing(Observation now) {
        List<String> missing = new ArrayList<>();
        if (!now.announcesNewerThan(atHeal, struck.lane())) {
            missing.add("no newer version" + (struck.lane().isEmpty() ? "" : " of " + struck.lane()));
        }
        for (String worker : struck.workers()) {
            if (!now.hasToldSince(atHeal, worker)) {
                missing.add(worker + " tells no answer");
            }
            if (!now.servesNewerThan(atHeal, worker)) {
                missing.add(worker + " serves no newer version");
            }
        }
        return missing;
    }
}
