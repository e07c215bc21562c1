package io.tailrace.suffix.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoLexOrderTest {
    @Test
    void orderIsThatOfPlainComparison() {
        Cases.forEachSeed(1000, seed -> {
            Random random = new Random(seed);
            int alphabet = List.of(1, 2, 3, 10, 300, 100_000).get(random.nextInt(6));
            int tokenMax = List.of(alphabet, 200_000_000, Integer.MAX_VALUE - 1).get(random.nextInt(3));
            RandomDocuments documents = new RandomDocuments(seed, alphabet, tokenMax);
            checkAgainstPlainComparison(text(documents.documents(random.nextInt(12), 40)));
        });
    }

    @Test
    void veryLongRepeatsAreSortedByDoubling() {
        Cases.forEachSeed(20, seed -> {
            Random random = new Random(seed);
            RandomDocuments documents = new RandomDocuments(seed, 2, 1);
            int[] equal = new int[1200 + random.nextInt(900)];
            int[] stretch = documents.tokens(1500);
            int[] edited = stretch.clone();
            edited[random.nextInt(100)] ^= 1;
            int[] period = IntStream.range(0, 2500).map(i -> i % 7 % 2).toArray();
            checkAgainstPlainComparison(text(List.of(equal, stretch, edited, period, stretch, new int[700])));
        });
    }

    @Test
    void extendedOrderIsThatOfSortingAnew() {
        Cases.forEachSeed(400, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(5), 50);
            List<int[]> documents = source.documents(1 + random.nextInt(40), seed % 50 == 0 ? 2000 : 30);
            List<int[]> known = new ArrayList<>();
            List<int[]> kept = new ArrayList<>();
            List<Boolean> fromKnown = new ArrayList<>();
            for (int[] document : documents) {
                int fate = random.nextInt(12);
                if (fate > 0) {
                    known.add(document);
                }
                if (fate != 1) {
                    kept.add(document);
                    fromKnown.add(fate > 0);
                } else {
                    fromKnown.add(null);
                }
            }
            int[] text = text(kept);
            int[] knownText = text(known);
            IntBuffer order =
                    IntBuffer.wrap(CoLexOrder.of(knownText, knownText.length).order());
            CoLexOrder extended = CoLexOrder.extended(text, order, places(documents, fromKnown, knownText.length));
            CoLexOrder sorted = CoLexOrder.of(text, text.length);
            assertThat(extended.order()).isEqualTo(sorted.order());
            assertThat(extended.ends()).isEqualTo(sorted.ends());
        });
    }

    /** Where the known text's positions go: {@code fromKnown} true kept from it, false new, null dropped from it. */
    private static int[] places(List<int[]> documents, List<Boolean> fromKnown, int knownLength) {
        int[] places = new int[knownLength];
        Arrays.fill(places, -1);
        int at = 0;
        int knownAt = 0;
        for (int i = 0; i < documents.size(); i++) {
            int length = documents.get(i).length;
            Boolean fate = fromKnown.get(i);
            for (int k = 0; k < length && fate != null && fate; k++) {
                places[knownAt + k] = at + k;
            }
            knownAt += fate == null || fate ? length + 1 : 0;
            at += fate != null ? length + 1 : 0;
        }
        return places;
    }

    @Test
    void allEqualTokensAreSortedInNearLinearTime() {
        int[] text = new int[300_001];
        text[300_000] = -1;
        long start = System.nanoTime();
        CoLexOrder order = CoLexOrder.of(text, text.length);
        assertThat(order.order()).isEqualTo(IntStream.range(0, 299_999).toArray());
        assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(20_000_000_000L);
    }

    private static void checkAgainstPlainComparison(int[] text) {
        CoLexOrder order = CoLexOrder.of(text, text.length);
        assertThat(order.order()).isEqualTo(plainlySorted(text, i -> text[i] >= 0 && text[i + 1] >= 0));
        assertThat(order.ends()).isEqualTo(plainlySorted(text, i -> text[i] >= 0 && text[i + 1] < 0));
    }

    private static int[] plainlySorted(int[] text, IntPredicate which) {
        Comparator<Integer> coLex = (a, b) -> {
            int k = 0;
            while (true) {
                int x = a - k >= 0 ? text[a - k] : -1;
                int y = b - k >= 0 ? text[b - k] : -1;
                if (x != y) {
                    return Integer.compare(x, y);
                }
                if (x < 0) {
                    return Integer.compare(a, b);
                }
                k++;
            }
        };
        return IntStream.range(0, Math.max(text.length - 1, 0))
                .filter(which)
                .boxed()
                .sorted(coLex)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int[] text(List<int[]> documents) {
        int[] text = new int[documents.stream().mapToInt(d -> d.length + 1).sum()];
        int at = 0;
        for (int[] document : documents) {
            System.arraycopy(document, 0, text, at, document.length);
            at += document.length;
            Arrays.fill(text, at, at + 1, -1);
            at++;
        }
        return text;
    }
}
