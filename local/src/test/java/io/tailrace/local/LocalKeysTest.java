package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.WriterKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKeysTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderKeepsItsKeys() throws IOException {
        LocalKeys keys = LocalKeys.in(folder.resolve("keys"));
        String key = RecordSigner.read(keys.signing()).keyIdText();
        assertThat(WriterKeys.read(Optional.of(keys.signing()), List.of(keys.trusted()))
                        .signer())
                .isPresent();
        assertThat(Files.getPosixFilePermissions(keys.signing()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(RecordSigner.read(LocalKeys.in(folder.resolve("keys")).signing())
                        .keyIdText())
                .isEqualTo(key);
    }

    @Test
    void aNewKeyIsTrustedBesideTheOldOne() throws IOException {
        LocalKeys keys = LocalKeys.in(folder.resolve("keys"));
        RecordSigner old = RecordSigner.read(keys.signing());
        keys.renew();
        RecordSigner renewed = RecordSigner.read(keys.signing());
        TrustedKeys trusted = TrustedKeys.read(List.of(keys.trusted()));
        assertThat(renewed.keyIdText()).isNotEqualTo(old.keyIdText());
        assertThat(trusted.trusts(old)).isTrue();
        assertThat(trusted.trusts(renewed)).isTrue();
    }
}
