package io.tailrace.gpu;

import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.MixerTables;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A policy's weights, and the tables behind a draft's arithmetic, as the device reads them.
 *
 * <pre>
 * weights        5,045 float
 * log-odds      32,896 float
 * log one plus   1,024 float
 * exponential    4,097 float
 * length sets       66 int32
 * credits kept     128 float
 * votes             23 int64
 * </pre>
 *
 * Little-endian; the same as {@code struct Tables} in tables.h.
 */
public final class PolicyImage {
    /** Size of an image. */
    public static final int BYTES = 4 * (5045 + 32896 + 1024 + 4097 + 66 + 128) + 8 * 23;

    private PolicyImage() {}

    /**
     * The image of these mixer weights.
     *
     * @throws IllegalArgumentException if they are not weights of {@link Mixer#LAYOUT}
     */
    public static ByteBuffer of(float[] weights) {
        ByteBuffer image = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        put(image, Mixer.of(weights).weights());
        put(image, MixerTables.logOdds());
        put(image, MixerTables.logOnePlus());
        put(image, MixerTables.exponential());
        for (int set : MixerTables.lengthSets()) {
            image.putInt(set);
        }
        put(image, MixerTables.creditsKept());
        for (long vote : MixerTables.votes()) {
            image.putLong(vote);
        }
        if (image.hasRemaining()) {
            throw new IllegalStateException("tables must fill " + BYTES + " bytes, " + image.remaining() + " are left");
        }
        return image.flip();
    }

    private static void put(ByteBuffer image, float[] values) {
        for (float value : values) {
            image.putFloat(value);
        }
    }
}
