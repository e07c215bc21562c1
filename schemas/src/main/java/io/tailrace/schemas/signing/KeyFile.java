package io.tailrace.schemas.signing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of keys in PEM (RFC 7468), as {@code openssl genpkey} and {@code openssl pkey -pubout} write them: private keys as PKCS#8, public ones
 * as SubjectPublicKeyInfo. Text between the keys is passed over.
 */
final class KeyFile {
    static final String MAKE_PRIVATE = "make one with: openssl genpkey -algorithm ed25519 -out %s";
    static final String MAKE_PUBLIC = "write it with: openssl pkey -in SIGNING_KEY -pubout -out %s";

    private static final int BYTES_MAX = 64 << 10;
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    private static final String BEGIN = "-----BEGIN ";
    private static final Pattern BLOCK =
            Pattern.compile(BEGIN + "([A-Z0-9 ]+)-----\\s([A-Za-z0-9+/=\\s]*)-----END \\1-----");

    /** A key in PEM: what it calls itself, and its DER. */
    private record Block(String label, byte[] der) {}

    private final Path path;

    KeyFile(Path path) {
        this.path = path;
    }

    /** The one private key of the file, which strangers must not be able to read. */
    PrivateKey privateKey() {
        List<Block> blocks = blocks(MAKE_PRIVATE);
        if (blocks.size() != 1 || !blocks.get(0).label().equals(PRIVATE)) {
            throw wrong("one block '%s'".formatted(PRIVATE), found(blocks), MAKE_PRIVATE);
        }
        requirePrivacy();
        try {
            return factory()
                    .generatePrivate(new PKCS8EncodedKeySpec(blocks.get(0).der()));
        } catch (InvalidKeySpecException e) {
            throw wrong("an Ed25519 key", "another or a damaged one", MAKE_PRIVATE);
        }
    }

    /** The public keys of the file, at least one. */
    List<PublicKey> publicKeys() {
        List<Block> blocks = blocks(MAKE_PUBLIC);
        List<PublicKey> keys = new ArrayList<>();
        for (Block block : blocks) {
            if (!block.label().equals(PUBLIC)) {
                throw wrong("blocks '%s' only".formatted(PUBLIC), found(blocks), MAKE_PUBLIC);
            }
            try {
                keys.add(factory().generatePublic(new X509EncodedKeySpec(block.der())));
            } catch (InvalidKeySpecException e) {
                throw wrong("Ed25519 keys", "another or a damaged one", MAKE_PUBLIC);
            }
        }
        if (keys.isEmpty()) {
            throw wrong("one or more blocks '%s'".formatted(PUBLIC), found(blocks), MAKE_PUBLIC);
        }
        return keys;
    }

    /** A key that anybody on the machine can read is nobody's. */
    private void requirePrivacy() {
        try {
            if (Files.getFileAttributeView(path, PosixFileAttributeView.class) == null) {
                return;
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new KeyFileException(
                        "key file %s: expected a file that only its owner and group can read and write, got %s; say: chmod o= %s"
                                .formatted(path, PosixFilePermissions.toString(permissions), path));
            }
        } catch (IOException e) {
            throw new KeyFileException("key file %s: cannot ask who may read it: %s".formatted(path, e), e);
        }
    }

    private List<Block> blocks(String remedy) {
        List<Block> blocks = new ArrayList<>();
        String text = text(remedy);
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            try {
                byte[] der = Base64.getDecoder().decode(matcher.group(2).replaceAll("\\s", ""));
                blocks.add(new Block(matcher.group(1), der));
            } catch (IllegalArgumentException e) {
                throw wrong("base64 in block '%s'".formatted(matcher.group(1)), e.getMessage(), remedy);
            }
        }
        if (text.split(BEGIN, -1).length - 1 != blocks.size()) {
            throw wrong("whole blocks", "one that does not end, or holds more than base64", remedy);
        }
        return blocks;
    }

    private String text(String remedy) {
        try {
            if (Files.size(path) > BYTES_MAX) {
                throw wrong("at most %d bytes".formatted(BYTES_MAX), Files.size(path) + " bytes", remedy);
            }
            return Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new KeyFileException(
                    "key file %s: there is no such file; %s".formatted(path, remedy.formatted(path)), e);
        } catch (IOException e) {
            throw new KeyFileException("key file %s cannot be read: %s".formatted(path, e), e);
        }
    }

    private static String found(List<Block> blocks) {
        return blocks.isEmpty()
                ? "no key in PEM"
                : blocks.stream()
                        .map(block -> "'" + block.label() + "'")
                        .toList()
                        .toString();
    }

    private KeyFileException wrong(String expected, String got, String remedy) {
        return new KeyFileException(
                "key file %s: expected %s, got %s; %s".formatted(path, expected, got, remedy.formatted(path)));
    }

    private static KeyFactory factory() {
        try {
            return KeyFactory.getInstance(SignatureFormat.ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(
                    "this Java has no Ed25519; Java 17 and newer have it in module jdk.crypto.ec", e);
        }
    }
}
