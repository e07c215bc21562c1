package io.tailrace.schemas.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFilesTest {
    @TempDir
    private Path folder;

    private Path file(String content) throws IOException {
        return OpensslKeys.file(folder, "key.pem", content);
    }

    private static void refused(ThrowingCallable reading, String... parts) {
        assertThatThrownBy(reading).isInstanceOf(KeyFileException.class).hasMessageContainingAll(parts);
    }

    @Test
    void opensslsFilesAreRead() throws IOException {
        assertThat(RecordSigner.read(file(OpensslKeys.SIGNING)).keyIdText()).isEqualTo(OpensslKeys.KEY_ID);
        assertThat(TrustedKeys.read(List.of(file(OpensslKeys.TRUSTED)))).hasToString("[" + OpensslKeys.KEY_ID + "]");
    }

    @Test
    void textAroundKeysAndOtherLineEndsAreNoHindrance() throws IOException {
        String twoKeys = "the old one\n" + OpensslKeys.TRUSTED + "the new one:\r\n"
                + OpensslKeys.SECOND_TRUSTED.replace("\n", "\r\n");
        assertThat(TrustedKeys.read(List.of(file(twoKeys)))).hasToString("[e7c6cc4bf5a3c80f, 93cf39f714c3b2c9]");
        assertThat(RecordSigner.read(file(OpensslKeys.SIGNING.replace("\n", "\r\n")))
                        .keyIdText())
                .isEqualTo(OpensslKeys.KEY_ID);
    }

    @Test
    void oneKeyInTwoFilesCountsOnce() throws IOException {
        Path one = file(OpensslKeys.TRUSTED);
        assertThat(TrustedKeys.read(List.of(one, one))).hasToString("[" + OpensslKeys.KEY_ID + "]");
    }

    @Test
    void aFileThatIsNotThereIsNamedWithHowToMakeIt() {
        Path none = folder.resolve("none.pem");
        refused(
                () -> RecordSigner.read(none),
                "key file " + none + ": there is no such file",
                "openssl genpkey -algorithm ed25519 -out " + none);
        refused(() -> TrustedKeys.read(List.of(none)), "openssl pkey -in SIGNING_KEY -pubout -out " + none);
    }

    @Test
    void theWrongHalfIsToldApart() throws IOException {
        Path trusted = file(OpensslKeys.TRUSTED);
        refused(() -> RecordSigner.read(trusted), "expected one block 'PRIVATE KEY', got ['PUBLIC KEY']");
        Path signing = file(OpensslKeys.SIGNING);
        refused(() -> TrustedKeys.read(List.of(signing)), "expected blocks 'PUBLIC KEY' only, got ['PRIVATE KEY']");
        Path both = file(OpensslKeys.TRUSTED + OpensslKeys.SIGNING);
        refused(() -> TrustedKeys.read(List.of(both)), "got ['PUBLIC KEY', 'PRIVATE KEY']");
        Path encrypted = file(OpensslKeys.ENCRYPTED);
        refused(() -> RecordSigner.read(encrypted), "got ['ENCRYPTED PRIVATE KEY']");
    }

    @Test
    void keysOfOtherKindsAreRefused() throws IOException {
        Path rsa = file(OpensslKeys.RSA);
        refused(() -> TrustedKeys.read(List.of(rsa)), "expected Ed25519 keys, got another or a damaged one");
        Path shortened = file(OpensslKeys.SIGNING.replace("MC4C", "MC4D"));
        refused(() -> RecordSigner.read(shortened), "expected an Ed25519 key, got another or a damaged one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no key", "-----END PUBLIC KEY-----\n"})
    void aFileWithoutAKeyIsRefused(String content) throws IOException {
        Path empty = file(content);
        refused(() -> TrustedKeys.read(List.of(empty)), "expected one or more blocks 'PUBLIC KEY', got no key in PEM");
        refused(() -> RecordSigner.read(empty), "expected one block 'PRIVATE KEY', got no key in PEM");
    }

    /** A file that was cut must not trust fewer keys than it was meant to. */
    @Test
    void aBlockThatIsNotWholeIsRefused() throws IOException {
        String two = OpensslKeys.TRUSTED + OpensslKeys.SECOND_TRUSTED;
        int second = OpensslKeys.TRUSTED.length() + "-----BEGIN ".length();
        for (int length = second; length < two.stripTrailing().length(); length++) {
            Path cut = file(two.substring(0, length));
            refused(() -> TrustedKeys.read(List.of(cut)), "expected whole blocks, got one that does not end");
        }
        Path foreign = file(OpensslKeys.TRUSTED.replace("MCow", "MC?w"));
        refused(() -> TrustedKeys.read(List.of(foreign)), "or holds more than base64");
    }

    @Test
    void whatIsNoBase64OrTooLongIsRefused() throws IOException {
        Path half = file("-----BEGIN PUBLIC KEY-----\nabc=d\n-----END PUBLIC KEY-----\n");
        refused(() -> TrustedKeys.read(List.of(half)), "expected base64 in block 'PUBLIC KEY'");
        Path huge = file(" ".repeat(70_000));
        refused(() -> TrustedKeys.read(List.of(huge)), "expected at most 65536 bytes, got 70000 bytes");
        refused(() -> TrustedKeys.read(List.of(folder)), "key file " + folder);
    }

    @Test
    void aPrivateKeyThatEverybodyCanReadIsRefused() throws IOException {
        Path signing = file(OpensslKeys.SIGNING);
        for (String open : new String[] {"rw----r--", "rw-----w-", "rw-r--r--"}) {
            Files.setPosixFilePermissions(signing, PosixFilePermissions.fromString(open));
            refused(() -> RecordSigner.read(signing), "got " + open, "chmod o= " + signing);
        }
        Files.setPosixFilePermissions(signing, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(RecordSigner.read(signing).keyIdText()).isEqualTo(OpensslKeys.KEY_ID);
        Path trusted = file(OpensslKeys.TRUSTED);
        Files.setPosixFilePermissions(trusted, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(TrustedKeys.read(List.of(trusted)).isNone()).isFalse();
    }

    @Test
    void aWriterDoesNotTrustOnlyOthers() throws IOException {
        Path signing = OpensslKeys.file(folder, "signing.pem", OpensslKeys.SIGNING);
        Path second = OpensslKeys.file(folder, "second.pem", OpensslKeys.SECOND_TRUSTED);
        Path both = OpensslKeys.file(folder, "both.pem", OpensslKeys.SECOND_TRUSTED + OpensslKeys.TRUSTED);
        refused(
                () -> WriterKeys.read(Optional.of(signing), List.of(second)),
                "expected one of the trusted keys [93cf39f714c3b2c9], got key " + OpensslKeys.KEY_ID);
        refused(() -> WriterKeys.read(Optional.empty(), List.of(second)), "--trusted-keys needs --signing-key");
        assertThat(WriterKeys.read(Optional.of(signing), List.of(both)).signer())
                .isPresent();
        assertThat(WriterKeys.read(Optional.of(signing), List.of()).trusted().isNone())
                .isTrue();
        assertThat(WriterKeys.read(Optional.empty(), List.of()).signer()).isEmpty();
    }

    /** It goes where Flink keeps the job's graph: only the file's name may. */
    @Test
    void aPrivateKeyIsNotSerializedAndAReplacedFileIsReadAgain() throws Exception {
        Path signing = OpensslKeys.file(folder, "signing.pem", OpensslKeys.SIGNING);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(WriterKeys.read(Optional.of(signing), List.of()));
        }
        byte[] secret = HexFormat.of().parseHex("38e6fd7d3dd0ebab");
        assertThat(new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1))
                .contains("signing.pem")
                .doesNotContain(new String(secret, StandardCharsets.ISO_8859_1))
                .doesNotContain("MC4CAQ");
        OpensslKeys.file(folder, "signing.pem", OpensslKeys.SECOND_SIGNING);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            WriterKeys read = (WriterKeys) in.readObject();
            assertThat(read.signer().orElseThrow().keyIdText()).isEqualTo("93cf39f714c3b2c9");
        }
    }
}
