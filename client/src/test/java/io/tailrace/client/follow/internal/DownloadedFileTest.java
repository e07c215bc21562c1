package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadedFileTest {
    @TempDir
    Path folder;

    @Test
    void aSourceThatIsTruncatedWhileItIsCopiedIsAnError() throws IOException {
        try (DownloadedFile file = DownloadedFile.open("x.segment", 10, folder.resolve("x"))) {
            file.append(new ByteArrayInputStream(new byte[4]));
            assertThatThrownBy(file::finish)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("x.segment has 4 bytes, its manifest says 10");
        }
    }

    @Test
    void aSourceThatGrowsWhileItIsCopiedIsAnError() throws IOException {
        Path target = folder.resolve("x");
        try (DownloadedFile file = DownloadedFile.open("x.segment", 10, target)) {
            assertThatThrownBy(() -> file.append(new ByteArrayInputStream(new byte[11])))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("longer than the 10 bytes its manifest says");
        }
        assertThat(target).isEmptyFile();
    }
}
