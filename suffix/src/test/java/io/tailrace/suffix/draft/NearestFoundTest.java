package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NearestFoundTest {
    private static final int SOURCE = SourceKind.SHARED_GAPPED.index();

    private final NearestFound found = new NearestFound();
    private int answered;
    private int searched;

    @Test
    void whatGoesOnIsWhatASearchWouldFind() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            int alphabet = 1 + random.nextInt(random.nextBoolean() ? 4 : 30);
            FreshIndex index = index(random, alphabet);
            int[] context = tokens(random, 2 + random.nextInt(150), alphabet);
            int length = 1 + random.nextInt(context.length);
            keep(index, context, length);
            compare(index, context, length + random.nextInt(Math.min(6, context.length - length + 1)), "seed " + seed);
        }
        assertThat(answered).isGreaterThan(4_000);
        assertThat(searched).isGreaterThan(2_000);
    }

    @Test
    void anotherTextIsSearchedAnew() {
        int[] context = {1, 2, 3, 4};
        FreshIndex index = FreshIndex.of(List.of(new int[] {1, 2, 3, 4, 5}));
        keep(index, context, 4);
        assertThat(goesOn(index, context, 4).size()).isEqualTo(1);
        index.add(new int[] {1, 2, 3, 4, 6}, 0);
        assertThat(goesOn(index, context, 4)).isNull();
        assertThat(goesOn(FreshIndex.of(List.of(context)), context, 4)).isNull();
    }

    @Test
    void aShorterContextOrNothingKeptIsSearchedAnew() {
        int[] context = {1, 2, 3, 4};
        FreshIndex index = FreshIndex.of(List.of(new int[] {1, 2, 3, 4, 5}));
        assertThat(goesOn(index, context, 4)).isNull();
        keep(index, context, 4);
        assertThat(goesOn(index, context, 3)).isNull();
        found.clear();
        assertThat(goesOn(index, context, 4)).isNull();
    }

    private void keep(FreshIndex index, int[] context, int length) {
        Occurrences nearest = new Occurrences();
        nearest.add(position -> -1, 0, 1, 0);
        found.open(length);
        index.nearest(context, length, VoterSearch.SHARED_MAX, 1, nearest);
        found.keep(9, index.content(), nearest, 1);
    }

    /** Null if a search must say. */
    private Occurrences goesOn(FreshIndex index, int[] context, int length) {
        Occurrences into = new Occurrences();
        boolean whole = found.goesOn(9, index, context, length, SOURCE, into);
        assertThat(whole || into.size() == 0).isTrue();
        return whole ? into : null;
    }

    private void compare(FreshIndex index, int[] context, int length, String place) {
        Occurrences without = goesOn(index, context, length);
        if (without == null) {
            searched++;
            return;
        }
        answered++;
        Occurrences sought = new Occurrences();
        index.nearest(context, length, VoterSearch.SHARED_GAPPED_MAX, SOURCE, sought);
        assertThat(gapped(without)).as(place).isEqualTo(gapped(sought));
    }

    private static List<List<Object>> gapped(Occurrences occurrences) {
        List<List<Object>> places = new ArrayList<>();
        for (int i = 0; i < occurrences.size(); i++) {
            if (occurrences.matchLength(i) >= VoterSearch.SHARED_GAPPED_MATCH_MIN) {
                places.add(List.of(
                        occurrences.text(i),
                        occurrences.position(i),
                        occurrences.matchLength(i),
                        occurrences.source(i)));
            }
        }
        return places;
    }

    private static FreshIndex index(Random random, int alphabet) {
        FreshIndex index = new FreshIndex(Integer.MAX_VALUE);
        for (int documents = random.nextInt(6); documents > 0; documents--) {
            int[] text = tokens(random, 1 + random.nextInt(200), alphabet);
            int tail = Math.min(text.length - 1, Math.max(0, random.nextInt(8) - 3));
            index.add(new RememberedAnswer(Arrays.copyOf(text, tail), Arrays.copyOfRange(text, tail, text.length)), 0);
        }
        return index;
    }

    /** Random text that repeats itself, and a text of its own seed that all share. */
    private static int[] tokens(Random random, int length, int alphabet) {
        int[] common = new Random(alphabet).ints(300, 0, alphabet).toArray();
        int[] tokens = new int[length];
        for (int i = 0, copied = 0, from = 0; i < length; i++, copied--) {
            if (copied <= 0 && random.nextInt(4) == 0) {
                copied = random.nextInt(90);
                from = random.nextInt(200);
            }
            tokens[i] = copied > 0 ? common[from++] : random.nextInt(alphabet);
        }
        return tokens;
    }
}
