package io.tailrace.strategies;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * All places of a context's last token in one tree's texts, longest match first. The places of the pattern of the context's
 * last p tokens are the first {@link #count} of them: a longer pattern's places are among a shorter one's.
 */
final class PatternPlaces {
    private final int[] counts = new int[SuffixDecoding.Settings.DEPTH_LIMIT + 2];
    private final Occurrences found = new Occurrences();
    private int[] order = new int[256];
    private int[] copies = new int[256];

    /** Empty, to be filled; then {@link #sort} is called. */
    Occurrences found() {
        return found;
    }

    /** Orders what was found: by match length, lengths above {@code lengthMax} taken as that, first found first. */
    void sort(int lengthMax) {
        int size = found.size();
        if (order.length < size) {
            order = new int[Math.max(size, 2 * order.length)];
            copies = new int[order.length];
        }
        Arrays.fill(counts, 0);
        Arrays.fill(copies, 0, size, 0);
        for (int i = 0; i < size; i++) {
            counts[Math.min(lengthMax, found.matchLength(i))]++;
        }
        int before = 0;
        for (int length = lengthMax; length >= 0; length--) {
            int here = counts[length];
            counts[length] = before;
            before += here;
        }
        for (int i = 0; i < size; i++) {
            order[counts[Math.min(lengthMax, found.matchLength(i))]++] = i;
        }
    }

    /** How many places match at least {@code patternLength} tokens, 1 to the length limit. */
    int count(int patternLength) {
        return counts[patternLength];
    }

    /** The longest pattern that has places, at most {@code lengthMax}; 0 if none has. */
    int longest(int lengthMax) {
        int length = lengthMax;
        while (length > 0 && counts[length] == 0) {
            length--;
        }
        return length;
    }

    /** The earliest place of a pattern: the first position in the text that was found last, the oldest one. */
    int earliest(int patternLength) {
        int earliest = counts[patternLength] - 1;
        TokenText oldest = found.text(order[earliest]);
        for (int place = earliest - 1; place >= 0 && found.text(order[place]) == oldest; place--) {
            if (found.position(order[place]) < found.position(order[earliest])) {
                earliest = place;
            }
        }
        return earliest;
    }

    /** The token {@code ahead} positions behind the place, negative behind its document's end. */
    int token(int place, int ahead) {
        int occurrence = order[place];
        return found.text(occurrence).token(found.position(occurrence) + ahead);
    }

    /** How many equal documents the place stands in; read from its text once. */
    int copies(int place) {
        if (copies[place] == 0) {
            int occurrence = order[place];
            copies[place] = found.text(occurrence).copies(found.position(occurrence));
        }
        return copies[place];
    }

    int source(int place) {
        return found.source(order[place]);
    }
}
