package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.NaiveIndex;
import java.util.HashSet;
import java.util.Set;

/** Checks what an index calls nearest against the naive index: right lengths, real places, none twice. */
public final class NearestOracle {
    private NearestOracle() {}

    public static void check(OccurrenceIndex index, NaiveIndex naive, int[] context, int countMax) {
        Occurrences found = new Occurrences();
        int count = index.nearest(context, context.length, countMax, 3, found);
        assertThat(count).isEqualTo(found.size());
        int[] lengths = new int[count];
        Set<String> places = new HashSet<>();
        for (int i = 0; i < count; i++) {
            lengths[i] = found.matchLength(i);
            checkPlace(found, i, context);
            String place = System.identityHashCode(found.text(i)) + ":" + found.position(i);
            assertThat(places.add(place)).as("place %s found once", place).isTrue();
        }
        int[] expected = naive.nearestMatchLengths(context, context.length, countMax, OccurrenceIndex.MATCH_LENGTH_MAX);
        assertThat(lengths).isEqualTo(expected);
    }

    private static void checkPlace(Occurrences found, int i, int[] context) {
        TokenText text = found.text(i);
        int position = found.position(i);
        int match = 0;
        while (match < Math.min(context.length, OccurrenceIndex.MATCH_LENGTH_MAX)
                && text.token(position - match) == context[context.length - 1 - match]) {
            match++;
        }
        assertThat(found.matchLength(i)).isEqualTo(match);
        assertThat(text.token(position + 1)).as("goes on").isGreaterThanOrEqualTo(0);
        assertThat(found.source(i)).isEqualTo(3);
    }
}
