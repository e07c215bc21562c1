package io.tailrace.gpu;

import io.tailrace.suffix.LaneVocabulary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntUnaryOperator;

/**
 * What a lane says of each token, as the device reads it.
 *
 * <pre>
 * tokens              1 int32   ids below it have classes of their own
 * unknown             1 int32   classes of all others
 * popular tokens      1 int32
 * unknown following   1 int32   class of the copy rate of what follows all others
 * popular            12 int32   said most, most often first
 * rarity            256 float   by class of count
 * popularity        256 float   by class of count
 * copied here       256 float   by class of copy rate
 * copied elsewhere  256 float   by class of copy rate
 * classes             n uint16  by token: class of its count in the lower byte, of its copy rate in the higher one
 * following           n uint8   by token: class of the copy rate of what follows it
 * </pre>
 *
 * Little-endian; the same as {@code struct Vocabulary} in vocabulary.h.
 */
public final class VocabularyImage {
    private static final int TABLES = 4;
    private static final int FIXED_BYTES = 4 * (4 + LaneVocabulary.POPULAR_MAX + TABLES * LaneVocabulary.CLASSES);

    private VocabularyImage() {}

    /** Size of a vocabulary's image. */
    public static int bytes(LaneVocabulary vocabulary) {
        return FIXED_BYTES + (Character.BYTES + 1) * vocabulary.tokens();
    }

    /** The image of a vocabulary. */
    public static ByteBuffer of(LaneVocabulary vocabulary) {
        int tokens = vocabulary.tokens();
        ByteBuffer image = ByteBuffer.allocateDirect(bytes(vocabulary)).order(ByteOrder.LITTLE_ENDIAN);
        image.putInt(tokens).putInt(vocabulary.classes(tokens));
        image.putInt(vocabulary.popularTokens()).putInt(following(vocabulary, tokens));
        for (int rank = 0; rank < LaneVocabulary.POPULAR_MAX; rank++) {
            image.putInt(rank < vocabulary.popularTokens() ? vocabulary.popularToken(rank) : 0);
        }
        putTables(image, vocabulary);
        for (int token = 0; token < tokens; token++) {
            image.putChar((char) vocabulary.classes(token));
        }
        for (int token = 0; token < tokens; token++) {
            image.put((byte) following(vocabulary, token));
        }
        return image.flip();
    }

    private static int following(LaneVocabulary vocabulary, int token) {
        return vocabulary.following(token) >>> Byte.SIZE;
    }

    private static void putTables(ByteBuffer image, LaneVocabulary vocabulary) {
        put(image, count -> Float.floatToRawIntBits(vocabulary.rarity(count)));
        put(image, count -> Float.floatToRawIntBits(vocabulary.popularity(count)));
        put(image, rate -> Float.floatToRawIntBits(vocabulary.copiedHere(rate << Byte.SIZE)));
        put(image, rate -> Float.floatToRawIntBits(vocabulary.copiedElsewhere(rate << Byte.SIZE)));
    }

    private static void put(ByteBuffer image, IntUnaryOperator bitsOfClass) {
        for (int i = 0; i < LaneVocabulary.CLASSES; i++) {
            image.putInt(bitsOfClass.applyAsInt(i));
        }
    }
}
