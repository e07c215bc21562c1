package io.tailrace.schemas.signing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Keys of tests only, as openssl 3.0 wrote them, and what it says of them. */
final class OpensslKeys {
    /** {@code openssl genpkey -algorithm ed25519}. */
    static final String SIGNING = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIDjm/X090Ourt0el/aB0ONX5ow1QqLAoL9vGmqJT4FYi
            -----END PRIVATE KEY-----
            """;
    /** {@code openssl pkey -pubout} of it. */
    static final String TRUSTED = """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VwAyEANlXyUntogwWVMTxojLhXEcslOoMc8b97cdHpQr9xicQ=
            -----END PUBLIC KEY-----
            """;
    /** {@code openssl pkey -pubin -outform DER | sha256sum | cut -c1-16} of that. */
    static final String KEY_ID = "e7c6cc4bf5a3c80f";

    /** Another pair. */
    static final String SECOND_SIGNING = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIBLnqnLXrFmk6h3qVeXiO6U93448awzXIvea7fbeAQy3
            -----END PRIVATE KEY-----
            """;

    static final String SECOND_TRUSTED = """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VwAyEATf8FIvKi63tNqL6VYonr3XswVdq8lAtY2Yv0du3R5xU=
            -----END PUBLIC KEY-----
            """;

    static final String RSA = """
            -----BEGIN PUBLIC KEY-----
            MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDDdEtdOCjVSS0UhdIJChH6tKJy
            +DVEBN1scLyGd9hxMGEkPjLm/WWuv8JGs8dB0H3HJpQZYTnhlhuv5S8lGvWW4/S+
            nKxbNgJ0nhF19v5MZ4tkBPWh2rXff3j//WK//quS/gqUxUQZ0mFFx+joJIY9Es+e
            wBhHewGwIJBHD7WT5wIDAQAB
            -----END PUBLIC KEY-----
            """;
    /** The first one behind a pass phrase. */
    static final String ENCRYPTED = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjhmF3qaaB/IAICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEMaSCosN7YPBZbzq/D4mChoEQLCM
            x1BC9LLC/C9vVCnx72xw2CdAozgKdu8pjsKECl5tqVtrLx2a64eiFetC8EytnPaz
            aCQHBFvtUvniAxAOJzo=
            -----END ENCRYPTED PRIVATE KEY-----
            """;
    /** {@code openssl pkeyutl -sign -rawin} by the first key: topic p-snapshots, key m@1/s#7, value hello. */
    static final String OF_HELLO =
            "21b9d69d6335583eb7ab4eca88c538a0ed9a68875cba44558ed3007534c8e588edaa9595fbc988c29c7624df64dd13b283e468ccbfde662c538f1baa96215207";
    /** The same without a value. */
    static final String OF_TOMBSTONE =
            "a915fadcb032609caa89ff8df27f4aaa0f0b088007a12622a48d1eb407bbedf0dbb02b8c2533f1a800a71e6fea0eae881db9291663ba42546f30d6b4a978fe02";

    private OpensslKeys() {}

    /** A file that only its owner can read. */
    static Path file(Path folder, String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }
}
