package io.tailrace.schemas.signing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/**
 * A record's signature, byte by byte. It is the value of header {@value #HEADER}; of several such headers the last counts.
 *
 * <pre>
 * header:   [ key id: 8 ][ Ed25519 signature: 64 ]
 * signed:   [ "tailrace-signature-1": 20 ][ topic ][ record key ][ record value ]
 * each:     [ 0 ]                          it is absent, as the value of a tombstone is
 *           [ 1 ][ length: 4 ][ bytes ]    it is there, and may be empty
 * </pre>
 *
 * <p>Numbers are big-endian, the topic is its full name in UTF-8, prefix included. The signature is that of RFC 8032, pure Ed25519. A key's id
 * is the first 8 bytes of the SHA-256 of its SubjectPublicKeyInfo (RFC 8410) in DER. Lengths make the encoding unambiguous: no two
 * records have the same signed bytes.
 */
public final class SignatureFormat {
    /** Name of the record header. */
    public static final String HEADER = "tailrace-signature";

    static final String ALGORITHM = "Ed25519";
    static final int KEY_ID_BYTES = 8;
    static final int SIGNATURE_BYTES = 64;
    static final int HEADER_BYTES = KEY_ID_BYTES + SIGNATURE_BYTES;

    private static final byte[] DOMAIN = "tailrace-signature-1".getBytes(StandardCharsets.US_ASCII);
    private static final byte ABSENT = 0;
    private static final byte PRESENT = 1;

    private SignatureFormat() {}

    /** Gives what is signed to a signature that was initialized. */
    static void update(Signature signature, String topic, byte[] key, byte[] value) throws SignatureException {
        signature.update(DOMAIN);
        updateField(signature, topic.getBytes(StandardCharsets.UTF_8));
        updateField(signature, key);
        updateField(signature, value);
    }

    private static void updateField(Signature signature, byte[] field) throws SignatureException {
        if (field == null) {
            signature.update(ABSENT);
        } else {
            signature.update(PRESENT);
            signature.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, field.length));
            signature.update(field);
        }
    }

    static byte[] header(long keyId, byte[] signature) {
        return ByteBuffer.allocate(HEADER_BYTES).putLong(keyId).put(signature).array();
    }

    static long keyId(byte[] header) {
        return ByteBuffer.wrap(header).getLong();
    }

    static long keyId(PublicKey key) {
        try {
            return keyId(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** A key's id as people read it: 16 hexadecimal digits. */
    static String text(long keyId) {
        return "%016x".formatted(keyId);
    }
}
