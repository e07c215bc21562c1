package io.tailrace.suffix.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.lang.management.ManagementFactory;
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
    void whatIsLeftOfSortedRunsAndNewDocumentsMergeToTheOrderOfSortingAnew() {
        Cases.forEachSeed(600, seed -> {
            Random random = new Random(seed);
            RandomDocuments source = new RandomDocuments(seed, 1 + random.nextInt(5), 50);
            List<int[]> documents = source.documents(1 + random.nextInt(40), seed % 50 == 0 ? 2000 : 30);
            int runs = 1 + random.nextInt(4);
            int[] fate = random.ints(documents.size(), -2, runs).toArray();
            checkMerged(documents, fate, runs);
        });
    }

    /** Fate: which run a document is known from; -1: none; -2: known from the first, and dropped. */
    private static void checkMerged(List<int[]> documents, int[] fate, int runs) {
        int[] text = text(IntStream.range(0, fate.length)
                .filter(i -> fate[i] >= -1)
                .mapToObj(documents::get)
                .toList());
        List<SortedRun> sorted = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            int here = run;
            int[] known = text(IntStream.range(0, fate.length)
                    .filter(i -> fate[i] == here || (here == 0 && fate[i] == -2))
                    .mapToObj(documents::get)
                    .toList());
            IntBuffer order = IntBuffer.wrap(CoLexOrder.of(known, known.length).order());
            sorted.add(SortedRun.kept(order, places(documents, fate, run, known.length), starts(documents, fate, run)));
        }
        CoLexOrder expected = CoLexOrder.of(text, text.length);
        CoLexOrder merged = CoLexOrder.merged(() -> text, new ArrayList<>(sorted), starts(documents, fate, -1));
        assertThat(merged.order()).isEqualTo(expected.order());
        assertThat(merged.ends()).isEqualTo(expected.ends());
        if (starts(documents, fate, -1).length == 0) {
            OrderMerge merge = new OrderMerge(TokenRanks.of(text, text.length));
            SortedRun all = sorted.stream().reduce(merge::merge).orElseThrow();
            assertThat(all.order()).as("whatever it costs").isEqualTo(expected.order());
            assertThat(all.starts()).isSorted();
        }
    }

    private static int[] places(List<int[]> documents, int[] fate, int run, int knownLength) {
        int[] places = new int[knownLength];
        Arrays.fill(places, -1);
        int at = 0;
        int knownAt = 0;
        for (int i = 0; i < fate.length; i++) {
            int length = documents.get(i).length;
            for (int k = 0; k < length && fate[i] == run; k++) {
                places[knownAt + k] = at + k;
            }
            knownAt += fate[i] == run || (run == 0 && fate[i] == -2) ? length + 1 : 0;
            at += fate[i] >= -1 ? length + 1 : 0;
        }
        return places;
    }

    private static int[] starts(List<int[]> documents, int[] fate, int which) {
        int[] starts = new int[fate.length];
        int count = 0;
        int at = 0;
        for (int i = 0; i < fate.length; i++) {
            if (fate[i] == which) {
                starts[count++] = at;
            }
            at += fate[i] >= -1 ? documents.get(i).length + 1 : 0;
        }
        return Arrays.copyOf(starts, count);
    }

    @Test
    void runsOfVeryRepetitiveTextMergeWithoutComparingIt() {
        int[] equal = new int[100_000];
        int[] text = text(List.of(equal, equal, new int[1], equal));
        int[] order = CoLexOrder.of(text, text.length).order();
        int[] starts = {0, 100_001, 200_002, 200_004};
        SortedRun first =
                new SortedRun(Arrays.stream(order).filter(p -> p < 100_001).toArray(), new int[] {0});
        SortedRun others = new SortedRun(
                Arrays.stream(order).filter(p -> p > 100_000).toArray(), Arrays.copyOfRange(starts, 1, 4));
        SortedRun merged = new OrderMerge(TokenRanks.of(text, text.length)).merge(first, others);
        assertThat(merged.order()).isEqualTo(order);
        assertThat(merged.starts()).isEqualTo(starts);
    }

    @Test
    void allEqualTokensAreSortedInNearLinearTime() {
        int[] text = new int[300_001];
        text[300_000] = -1;
        long start = cpuNanos();
        CoLexOrder order = CoLexOrder.of(text, text.length);
        assertThat(order.order()).isEqualTo(IntStream.range(0, 299_999).toArray());
        assertThat(cpuNanos() - start).as("nanoseconds").isLessThan(20_000_000_000L);
    }

    /** Of this thread: what else the machine does takes none of it. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
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
