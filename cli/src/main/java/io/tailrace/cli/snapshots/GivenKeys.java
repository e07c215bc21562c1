package io.tailrace.cli.snapshots;

import io.tailrace.schemas.signing.KeyFileException;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.WriterKeys;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.KeyOptions;
import java.util.Optional;

/** The keys of a command's options, their files read. */
public final class GivenKeys {
    private GivenKeys() {}

    /**
     * Of a command that reads.
     *
     * @throws BadInputException if a file is no file of public keys
     */
    public static TrustedKeys trusted(KeyOptions.Trusted trusted) {
        try {
            return TrustedKeys.read(trusted.files());
        } catch (KeyFileException e) {
            throw new BadInputException("--trusted-keys: " + e.getMessage(), e);
        }
    }

    /**
     * Of a command that writes; empty: it does not sign.
     *
     * @throws BadInputException if a file is no key file, or readers that trust as this command does would refuse what it writes
     */
    static Optional<RecordSigner> signer(KeyOptions.Signing signing, KeyOptions.Trusted trusted) {
        try {
            return WriterKeys.read(signing.file(), trusted.files()).signer();
        } catch (KeyFileException e) {
            throw new BadInputException(e.getMessage(), e);
        }
    }
}
