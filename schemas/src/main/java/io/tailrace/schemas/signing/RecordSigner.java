package io.tailrace.schemas.signing;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;

/** Signs records with one private key. Safe for any number of threads. */
public final class RecordSigner {
    private final PrivateKey key;
    private final PublicKey publicKey;
    private final long keyId;

    private RecordSigner(PrivateKey key, PublicKey publicKey) {
        this.key = key;
        this.publicKey = publicKey;
        this.keyId = SignatureFormat.keyId(publicKey);
    }

    /**
     * The signer of a key file.
     *
     * @param file one Ed25519 private key in PEM, as {@code openssl genpkey -algorithm ed25519} writes it
     * @throws KeyFileException if it is none, or others than its owner and group can read it
     */
    public static RecordSigner read(Path file) {
        PrivateKey key = new KeyFile(file).privateKey();
        return new RecordSigner(key, publicHalf(key));
    }

    /**
     * The signer of a key in memory.
     *
     * @throws IllegalArgumentException if it is no Ed25519 key
     */
    public static RecordSigner of(KeyPair pair) {
        TrustedKeys.requireEd25519(pair.getPublic());
        return new RecordSigner(pair.getPrivate(), pair.getPublic());
    }

    /** A signer with a key of its own that nobody else has. */
    public static RecordSigner generated() {
        try {
            return of(KeyPairGenerator.getInstance(SignatureFormat.ALGORITHM).generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java makes no Ed25519 keys", e);
        }
    }

    /**
     * Signs a record.
     *
     * @param topic the topic's full name, prefix included
     * @param recordKey null where the record has none
     * @param value null for a tombstone
     * @return the value of header {@link SignatureFormat#HEADER}, 72 bytes
     */
    public byte[] sign(String topic, byte[] recordKey, byte[] value) {
        try {
            Signature signature = Signature.getInstance(SignatureFormat.ALGORITHM);
            signature.initSign(key);
            SignatureFormat.update(signature, topic, recordKey, value);
            return SignatureFormat.header(keyId, signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("key %s does not sign".formatted(keyIdText()), e);
        }
    }

    /** What readers must trust. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /** The private key, for whoever writes it to a file. */
    public PrivateKey privateKey() {
        return key;
    }

    long keyId() {
        return keyId;
    }

    /** The key's id, 16 hexadecimal digits. */
    public String keyIdText() {
        return SignatureFormat.text(keyId);
    }

    /**
     * The public key of a private one. A PKCS#8 file has the private half only, and the JDK offers no way from one to the other but to make a
     * pair: its generator takes 32 random bytes as the private key, so it is given the key's instead. That it did so is checked.
     */
    private static PublicKey publicHalf(PrivateKey key) {
        byte[] seed = seed(key);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(SignatureFormat.ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, new Given(seed));
            KeyPair pair = generator.generateKeyPair();
            if (!Arrays.equals(seed, seed(pair.getPrivate()))) {
                throw new IllegalStateException(
                        "this Java's generator of Ed25519 keys takes no given bytes; use OpenJDK");
            }
            return pair.getPublic();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java makes no Ed25519 keys", e);
        }
    }

    private static byte[] seed(PrivateKey key) {
        return ((EdECPrivateKey) key)
                .getBytes()
                .orElseThrow(() -> new IllegalArgumentException("a private key that does not show its bytes"));
    }

    /** Not random: gives the same bytes whenever it is asked. */
    private static final class Given extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;

        Given(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        @Override
        public void nextBytes(byte[] into) {
            System.arraycopy(bytes, 0, into, 0, into.length);
        }
    }
}
