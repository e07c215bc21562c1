package io.tailrace.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Seeded documents of many shapes: any alphabet, empty, one token, all equal, copied stretches, exact repeats. The same
 * seed gives the same documents.
 */
public final class RandomDocuments {
    private static final int SHAPES = 6;

    private final Random random;
    private final int alphabet;
    private final int tokenMax;

    /**
     * A source of documents.
     *
     * @param alphabet distinct tokens, spread over 0 to {@code tokenMax}
     */
    public RandomDocuments(long seed, int alphabet, int tokenMax) {
        this.random = new Random(seed);
        this.alphabet = alphabet;
        this.tokenMax = tokenMax;
    }

    /** A few documents of random shapes. */
    public List<int[]> documents(int count, int lengthMax) {
        List<int[]> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            documents.add(document(documents, lengthMax));
        }
        return documents;
    }

    private int[] document(List<int[]> earlier, int lengthMax) {
        int length = random.nextInt(lengthMax + 1);
        return switch (random.nextInt(SHAPES)) {
            case 0 -> new int[Math.min(length, 1)];
            case 1 -> filled(length, token());
            case 2 -> earlier.isEmpty() ? tokens(length) : pick(earlier).clone();
            case 3 -> earlier.isEmpty() ? tokens(length) : edited(pick(earlier));
            default -> tokens(length);
        };
    }

    /** Random tokens. */
    public int[] tokens(int length) {
        int[] tokens = new int[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = token();
        }
        return tokens;
    }

    /** A context to search for: most often the end of some stretch of a document. */
    public int[] context(List<int[]> documents) {
        int[] document = documents.isEmpty() ? new int[0] : pick(documents);
        if (document.length == 0 || random.nextInt(4) == 0) {
            return tokens(1 + random.nextInt(8));
        }
        int to = 1 + random.nextInt(document.length);
        int from = random.nextInt(to);
        int[] stretch = Arrays.copyOfRange(document, from, to);
        if (random.nextBoolean()) {
            return stretch;
        }
        int[] before = tokens(1 + random.nextInt(3));
        int[] context = Arrays.copyOf(before, before.length + stretch.length);
        System.arraycopy(stretch, 0, context, before.length, stretch.length);
        return context;
    }

    private int[] edited(int[] document) {
        int[] edited = document.clone();
        for (int i = 0; i < edited.length; i++) {
            if (random.nextInt(16) == 0) {
                edited[i] = token();
            }
        }
        return edited;
    }

    private int token() {
        int symbol = random.nextInt(alphabet);
        return (int) ((long) symbol * tokenMax / Math.max(alphabet - 1, 1));
    }

    private int[] pick(List<int[]> documents) {
        return documents.get(random.nextInt(documents.size()));
    }

    private static int[] filled(int length, int token) {
        int[] tokens = new int[length];
        Arrays.fill(tokens, token);
        return tokens;
    }
}
