package io.tailrace.gpu.check;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Text that repeats itself as answers do: half of each document is copied from earlier ones. Seeded. */
public final class Corpus {
    private static final int DOCUMENT_TOKENS = 500;
    private static final int SPAN_MAX = 80;

    private Corpus() {}

    /** Documents of so many tokens together. */
    public static List<int[]> documents(int tokens, int vocabulary, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<int[]> documents = new ArrayList<>();
        for (int left = tokens; left > 0; left -= DOCUMENT_TOKENS) {
            documents.add(document(Math.min(left, DOCUMENT_TOKENS), vocabulary, documents, random));
        }
        return documents;
    }

    /** One more such document. */
    public static int[] document(int length, int vocabulary, List<int[]> before, SplittableRandom random) {
        int[] tokens = new int[length];
        for (int at = 0; at < length; ) {
            int span = Math.min(length - at, 1 + random.nextInt(SPAN_MAX));
            int[] source = before.isEmpty() || random.nextBoolean() ? null : before.get(random.nextInt(before.size()));
            int from = source == null ? 0 : random.nextInt(source.length);
            for (int i = 0; i < span && (source == null || from + i < source.length); i++) {
                tokens[at++] = source == null ? skewed(vocabulary, random) : source[from + i];
            }
        }
        return tokens;
    }

    /** Small ids are frequent. */
    private static int skewed(int vocabulary, SplittableRandom random) {
        double u = random.nextDouble();
        return (int) (u * u * u * vocabulary);
    }
}
