package io.tailrace.gpu;

import io.tailrace.suffix.draft.SimilarTexts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The answers to the requests most like one, as a device reads them behind that request's context.
 *
 * <pre>
 * tokens         1 int32   n
 * places         1 int32   m: those that an answer goes on after
 * mask           1 int32   entries of the table, a power of two, less one
 * seed           1 int32   of the table
 * text           n int32   the answers, a -1 behind each
 * places         m int32   each token's together, in the order in which they are visited
 * first   mask + 1 int32   open addressing by token: where a token's places begin, or -1
 * ranks          n byte    whose request is how similar, 0 is the most similar
 * </pre>
 *
 * Little-endian; the same as {@code struct Similar} in similar.h.
 */
public final class SimilarImage {
    private static final int HEADER_BYTES = 4 * Integer.BYTES;
    private static final int NONE = -1;
    private static final int ALIGNMENT = 256;

    /** The room that a slot has for an image. */
    public static final int BYTES_MAX = aligned(HEADER_BYTES
            + SimilarTexts.LENGTH_MAX * (Integer.BYTES + 1)
            + SimilarTexts.PLACES_NOTED_MAX * Integer.BYTES
            + tableLength(SimilarTexts.PLACES_NOTED_MAX) * Integer.BYTES);

    private SimilarImage() {}

    /** The image of these answers. */
    public static ByteBuffer of(SimilarTexts texts) {
        int[] latest = texts.latest();
        int[] places = new int[texts.length()];
        int[] first = new int[tableLength(latest.length)];
        int seed = ThreadLocalRandom.current().nextInt();
        Arrays.fill(first, NONE);
        int size = 0;
        for (int last : latest) {
            first[free(first, texts.token(last), seed)] = size;
            for (int place = last; place != NONE; place = texts.earlier(place)) {
                places[size++] = place;
            }
        }
        int bytes = HEADER_BYTES + (texts.length() + size + first.length) * Integer.BYTES + texts.length();
        ByteBuffer image = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        image.putInt(texts.length()).putInt(size).putInt(first.length - 1).putInt(seed);
        for (int place = 0; place < texts.length(); place++) {
            image.putInt(texts.token(place));
        }
        image.asIntBuffer().put(places, 0, size).put(first);
        image.position(image.position() + (size + first.length) * Integer.BYTES);
        for (int place = 0; place < texts.length(); place++) {
            image.put((byte) texts.rank(place));
        }
        return image.flip();
    }

    /** So many that the table is two thirds full at most. */
    private static int tableLength(int tokens) {
        return tokens == 0 ? 1 : 2 * Integer.highestOneBit(tokens + tokens / 2);
    }

    private static int free(int[] first, int token, int seed) {
        int at = mixed(token, seed) & (first.length - 1);
        while (first[at] != NONE) {
            at = (at + 1) & (first.length - 1);
        }
        return at;
    }

    /** As {@code mixed} in slot.h. */
    private static int mixed(int key, int seed) {
        int mixed = key ^ seed;
        mixed = (mixed ^ mixed >>> 15) * 0x2C1B3C6D;
        mixed = (mixed ^ mixed >>> 12) * 0x297A2D39;
        return mixed ^ mixed >>> 15;
    }

    private static int aligned(int bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
