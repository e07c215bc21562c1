package io.tailrace.worker.huggingface;

/** 16-bit floats, by their bits: IEEE 754 half precision, and bfloat16. Rounds to nearest, ties to even. */
public final class Half {
    private static final int FLOAT_MANTISSA_BITS = 23;
    private static final int HALF_MANTISSA_BITS = 10;
    private static final int EXPONENT_REBIAS = 127 - 15;

    private Half() {}

    /** The float that a bfloat16 is; exact. */
    public static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** The float that a half is; exact. */
    public static float toFloat(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >> HALF_MANTISSA_BITS) & 0x1f;
        int mantissa = bits & 0x3ff;
        if (exponent == 0) {
            float magnitude = mantissa * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        int wideExponent = exponent == 0x1f ? 0xff : exponent + EXPONENT_REBIAS;
        return Float.intBitsToFloat(
                sign | (wideExponent << FLOAT_MANTISSA_BITS) | mantissa << (FLOAT_MANTISSA_BITS - HALF_MANTISSA_BITS));
    }

    /** The nearest half; what is too large becomes infinite. */
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        int magnitude = bits & 0x7fff_ffff;
        if (magnitude > 0x7f80_0000) {
            return (short) (sign | 0x7e00);
        }
        if (magnitude >= 0x4780_0000) {
            return (short) (sign | 0x7c00);
        }
        if (magnitude < 0x3880_0000) {
            return (short) (sign | (int) Math.rint(Math.abs(value) * 0x1p24f));
        }
        int dropped = FLOAT_MANTISSA_BITS - HALF_MANTISSA_BITS;
        int rounded = magnitude + (1 << (dropped - 1)) - 1 + (magnitude >>> dropped & 1);
        return (short) (sign | (rounded >>> dropped) - (EXPONENT_REBIAS << HALF_MANTISSA_BITS));
    }
}
