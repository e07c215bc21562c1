package io.tailrace.schemas.signing;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Ed25519 as RFC 8032, section 5.1, writes it down: big integers, affine points, no care for time. */
final class ReferenceEd25519 {
    private static final BigInteger TWO = BigInteger.TWO;
    private static final BigInteger P = TWO.pow(255).subtract(BigInteger.valueOf(19));
    private static final BigInteger ORDER = TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final BigInteger D = BigInteger.valueOf(-121665)
            .multiply(BigInteger.valueOf(121666).modInverse(P))
            .mod(P);
    private static final Point NEUTRAL = new Point(BigInteger.ZERO, BigInteger.ONE);
    private static final Point BASE = new Point(
            new BigInteger("15112221349535400772501151409588531511454012693041857206046113283949847762202"),
            BigInteger.valueOf(4).multiply(BigInteger.valueOf(5).modInverse(P)).mod(P));

    private ReferenceEd25519() {}

    private record Point(BigInteger x, BigInteger y) {
        Point plus(Point other) {
            BigInteger product = D.multiply(x)
                    .multiply(other.x)
                    .multiply(y)
                    .multiply(other.y)
                    .mod(P);
            BigInteger sumX = x.multiply(other.y).add(other.x.multiply(y));
            BigInteger sumY = y.multiply(other.y).add(x.multiply(other.x));
            return new Point(
                    sumX.multiply(BigInteger.ONE.add(product).modInverse(P)).mod(P),
                    sumY.multiply(BigInteger.ONE.subtract(product).modInverse(P))
                            .mod(P));
        }

        Point times(BigInteger factor) {
            Point sum = NEUTRAL;
            for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
                sum = sum.plus(sum);
                if (factor.testBit(bit)) {
                    sum = sum.plus(this);
                }
            }
            return sum;
        }

        byte[] encoded() {
            return littleEndian(x.testBit(0) ? y.setBit(255) : y);
        }
    }

    /** The 32 bytes of the public key. */
    static byte[] publicKey(byte[] secret) {
        return BASE.times(scalar(sha512(secret))).encoded();
    }

    /** The 64 bytes of the signature. */
    static byte[] sign(byte[] secret, byte[] message) {
        byte[] hash = sha512(secret);
        BigInteger nonce =
                number(sha512(Arrays.copyOfRange(hash, 32, 64), message)).mod(ORDER);
        byte[] commitment = BASE.times(nonce).encoded();
        BigInteger challenge =
                number(sha512(commitment, publicKey(secret), message)).mod(ORDER);
        byte[] response =
                littleEndian(nonce.add(challenge.multiply(scalar(hash))).mod(ORDER));
        byte[] signature = Arrays.copyOf(commitment, 64);
        System.arraycopy(response, 0, signature, 32, 32);
        return signature;
    }

    private static BigInteger scalar(byte[] hash) {
        byte[] half = Arrays.copyOf(hash, 32);
        half[0] &= (byte) 248;
        half[31] &= 127;
        half[31] |= 64;
        return number(half);
    }

    private static BigInteger number(byte[] littleEndian) {
        return new BigInteger(1, reversed(littleEndian));
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < 32; i++) {
            bytes[i] = number.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    private static byte[] sha512(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        try {
            return MessageDigest.getInstance("SHA-512").digest(all.toByteArray());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
