package io.tailrace.local;

import io.tailrace.schemas.signing.RecordSigner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.util.Base64;

/**
 * The key files of a loop in this process, in PEM as openssl would write them.
 *
 * @param signing the private key, readable by its owner only
 * @param trusted the public keys that readers trust
 */
public record LocalKeys(Path signing, Path trusted) {
    private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /**
     * Those in a folder: of an earlier loop there, or new ones.
     *
     * @throws IOException if they cannot be written
     */
    public static LocalKeys in(Path folder) throws IOException {
        LocalKeys keys = new LocalKeys(folder.resolve("signing.pem"), folder.resolve("trusted.pem"));
        if (!Files.exists(keys.trusted)) {
            Files.createDirectories(folder);
            keys.renew();
        }
        return keys;
    }

    /**
     * Makes a new signing key, which readers trust beside those that they trusted before: what is read from the files from now on.
     *
     * @throws IOException if the files cannot be written
     */
    public void renew() throws IOException {
        RecordSigner signer = RecordSigner.generated();
        Files.writeString(
                trusted,
                pem("PUBLIC KEY", signer.publicKey()),
                StandardCharsets.US_ASCII,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        Files.deleteIfExists(signing);
        if (Files.getFileAttributeView(signing.toAbsolutePath().getParent(), PosixFileAttributeView.class) != null) {
            Files.createFile(
                    signing, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(signing, pem("PRIVATE KEY", signer.privateKey()), StandardCharsets.US_ASCII);
    }

    private static String pem(String label, Key key) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, BASE64.encodeToString(key.getEncoded()), label);
    }
}
