package io.tailrace.schemas.signing;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;

/**
 * The keys of a process that writes signed topics and reads them back. It may sign before anybody checks, but it must not check without
 * signing as it would have to: it would refuse what it wrote itself.
 *
 * <p>What is serialized is the name of the private key's file and never the key. Wherever a copy signs, the file must be there.
 */
public final class WriterKeys implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final WriterKeys NONE = new WriterKeys(null, TrustedKeys.none());

    /** A path does not serialize; null: nothing is signed. */
    private final String signingKey;

    private final TrustedKeys trusted;

    private WriterKeys(String signingKey, TrustedKeys trusted) {
        this.signingKey = signingKey;
        this.trusted = Objects.requireNonNull(trusted, "trusted");
    }

    /** Of a process that neither signs nor checks. */
    public static WriterKeys none() {
        return NONE;
    }

    /**
     * The keys of files, which are read and must fit.
     *
     * @param signingKey file of a private key; empty: nothing is signed
     * @param trustedKeys files of public keys; none: nothing is checked
     * @throws KeyFileException if a file is none, if there are trusted keys and no signing key, or if that is not one of them
     */
    public static WriterKeys read(Optional<Path> signingKey, Collection<Path> trustedKeys) {
        TrustedKeys trusted = TrustedKeys.read(trustedKeys);
        if (signingKey.isEmpty() && !trusted.isNone()) {
            throw new KeyFileException(
                    "--trusted-keys needs --signing-key, or what is written here would be refused by all who trust these keys");
        }
        WriterKeys keys = new WriterKeys(signingKey.map(Path::toString).orElse(null), trusted);
        keys.signer();
        return keys;
    }

    /** Whose records are taken. */
    public TrustedKeys trusted() {
        return trusted;
    }

    /**
     * The signer, its file read now; empty: nothing is signed.
     *
     * @throws KeyFileException if the file is no private key's, or that of a key that is not trusted here
     */
    public Optional<RecordSigner> signer() {
        if (signingKey == null) {
            return Optional.empty();
        }
        RecordSigner signer = RecordSigner.read(Path.of(signingKey));
        if (!trusted.trusts(signer)) {
            throw new KeyFileException(
                    "key file %s: expected one of the trusted keys %s, got key %s; add its public half to --trusted-keys first, here and at every reader"
                            .formatted(signingKey, trusted, signer.keyIdText()));
        }
        return Optional.of(signer);
    }
}
