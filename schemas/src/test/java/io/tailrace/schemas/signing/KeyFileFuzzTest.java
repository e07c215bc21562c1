package io.tailrace.schemas.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Key files, as text; behind a zero the rest is a key's DER, which nobody guesses through its base64. */
class KeyFileFuzzTest {
    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        Stream<String> files = Stream.of(
                OpensslKeys.SIGNING,
                OpensslKeys.TRUSTED,
                "the old one\n" + OpensslKeys.TRUSTED + OpensslKeys.SECOND_TRUSTED,
                OpensslKeys.ENCRYPTED,
                OpensslKeys.RSA);
        return Stream.concat(
                files.map(text -> text.getBytes(StandardCharsets.ISO_8859_1)),
                Stream.of(OpensslKeys.SIGNING, OpensslKeys.TRUSTED, OpensslKeys.RSA)
                        .map(KeyFileFuzzTest::der));
    }

    private static byte[] der(String pem) {
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        byte[] marked = new byte[der.length + 1];
        System.arraycopy(der, 0, marked, 1, der.length);
        return marked;
    }

    @MethodSource("seeds")
    @FuzzTest
    void aKeyFileIsReadOrRefused(byte[] data) throws Exception {
        if (data.length > 0 && data[0] == 0) {
            String der = Base64.getEncoder().encodeToString(Arrays.copyOfRange(data, 1, data.length));
            checkPrivate(file(pem("PRIVATE KEY", der)), data.length);
            checkPublic(file(pem("PUBLIC KEY", der)), data.length);
        } else {
            Path file = file(data);
            checkPrivate(file, data.length);
            checkPublic(file, data.length);
        }
    }

    private static byte[] pem(String label, String der) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, der, label)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Path file(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("key.pem"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void checkPrivate(Path file, int bytes) throws Exception {
        try {
            RecordSigner signer = AllocationLimit.check(bytes, () -> RecordSigner.read(file));
            byte[] header = signer.sign("topic", null, new byte[] {1});
            TrustedKeys.of(signer.publicKey()).check("topic", null, new byte[] {1}, header);
        } catch (KeyFileException refused) {
            assertThat(refused).hasMessageContaining(file.toString());
        }
    }

    private static void checkPublic(Path file, int bytes) throws Exception {
        try {
            assertThat(AllocationLimit.check(bytes, () -> TrustedKeys.read(List.of(file)))
                            .isNone())
                    .isFalse();
        } catch (KeyFileException refused) {
            assertThat(refused).hasMessageContaining(file.toString());
        }
    }
}
