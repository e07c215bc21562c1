package io.tailrace.schemas.signing;

import java.io.Serializable;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The public keys whose records a reader takes: any of them may have signed. During a rotation there are two, the old and the new one. Of
 * {@link #none} every record is taken, signed or not. Safe for any number of threads.
 */
public final class TrustedKeys implements Serializable {
    /** Most keys that one reader trusts. */
    public static final int KEYS_MAX = 64;

    private static final long serialVersionUID = 1L;
    private static final TrustedKeys NONE = new TrustedKeys(new TrustedKey[0]);

    private final TrustedKey[] keys;

    private record TrustedKey(long id, PublicKey key) implements Serializable {}

    private TrustedKeys(TrustedKey[] keys) {
        this.keys = keys;
    }

    /** Of a reader that checks nothing. */
    public static TrustedKeys none() {
        return NONE;
    }

    /**
     * Some keys; one that is given twice counts once.
     *
     * @throws IllegalArgumentException if there is none, more than {@link #KEYS_MAX}, or one is no Ed25519 key
     */
    public static TrustedKeys of(PublicKey... keys) {
        return of(List.of(keys));
    }

    private static TrustedKeys of(Collection<PublicKey> keys) {
        TrustedKey[] trusted = keys.stream()
                .map(TrustedKeys::requireEd25519)
                .distinct()
                .map(key -> new TrustedKey(SignatureFormat.keyId(key), key))
                .toArray(TrustedKey[]::new);
        if (trusted.length == 0 || trusted.length > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "trusted keys must be 1 to %d, got %d".formatted(KEYS_MAX, trusted.length));
        }
        return new TrustedKeys(trusted);
    }

    /**
     * The keys of files.
     *
     * @param files one or more Ed25519 public keys in PEM each, as {@code openssl pkey -pubout} writes them; no files: {@link #none}
     * @throws KeyFileException if one is no such file
     */
    public static TrustedKeys read(Collection<Path> files) {
        return files.isEmpty()
                ? none()
                : of(files.stream()
                        .flatMap(file -> new KeyFile(file).publicKeys().stream())
                        .toList());
    }

    /** Whether every record is taken, signed or not. */
    public boolean isNone() {
        return keys.length == 0;
    }

    /** Whether a signer's records are taken. */
    public boolean trusts(RecordSigner signer) {
        return isNone() || find(signer.keyId()) != null;
    }

    /**
     * Checks that one of the keys signed a record as it lies on its topic.
     *
     * @param topic the topic's full name, prefix included
     * @param key null where the record has none
     * @param value null for a tombstone
     * @param header of the record, by name {@link SignatureFormat#HEADER}; null where it has none
     * @throws UntrustedRecordException if it was not
     */
    public void check(String topic, byte[] key, byte[] value, byte[] header) {
        if (isNone()) {
            return;
        }
        if (header == null) {
            throw new UntrustedRecordException(
                    "it is not signed; expected a signature by one of %s, as --signing-key gives it".formatted(this));
        }
        if (header.length != SignatureFormat.HEADER_BYTES) {
            throw new UntrustedRecordException("its header %s has %d bytes, expected %d"
                    .formatted(SignatureFormat.HEADER, header.length, SignatureFormat.HEADER_BYTES));
        }
        TrustedKey signedBy = find(SignatureFormat.keyId(header));
        if (signedBy == null) {
            throw new UntrustedRecordException(
                    "it is signed by key %s, expected one of %s; if the key is yours, add its public half to --trusted-keys"
                            .formatted(SignatureFormat.text(SignatureFormat.keyId(header)), this));
        }
        if (!fits(signedBy.key(), topic, key, value, header)) {
            throw new UntrustedRecordException(
                    "its signature by key %s is not of this topic, key and value; somebody else made or changed the record, or brought it here from elsewhere"
                            .formatted(SignatureFormat.text(signedBy.id())));
        }
    }

    private static boolean fits(PublicKey trusted, String topic, byte[] key, byte[] value, byte[] header) {
        try {
            Signature signature = Signature.getInstance(SignatureFormat.ALGORITHM);
            signature.initVerify(trusted);
            SignatureFormat.update(signature, topic, key, value);
            return signature.verify(header, SignatureFormat.KEY_ID_BYTES, SignatureFormat.SIGNATURE_BYTES);
        } catch (GeneralSecurityException e) {
            return false; // bytes that are no signature at all: the JDK says so by an exception
        }
    }

    private TrustedKey find(long id) {
        for (TrustedKey key : keys) {
            if (key.id() == id) {
                return key;
            }
        }
        return null;
    }

    static PublicKey requireEd25519(PublicKey key) {
        if (key instanceof EdECPublicKey edwards
                && edwards.getParams().getName().equals(NamedParameterSpec.ED25519.getName())) {
            return key;
        }
        throw new IllegalArgumentException("expected an Ed25519 public key, got " + key.getAlgorithm());
    }

    /** The keys' ids. */
    @Override
    public String toString() {
        return Arrays.stream(keys)
                .map(key -> SignatureFormat.text(key.id()))
                .toList()
                .toString();
    }
}
