package io.tailrace.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The manual pages, as the full build has made them. */
@Tag("full")
class ManPagesIT {
    private static final Path PAGES = Path.of("target", "man");

    @Test
    void everyPageIsOneForMan() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.list(PAGES)) {
            pages = files.toList();
        }
        assertThat(pages)
                .extracting(page -> page.getFileName().toString())
                .contains("tailrace.1", "tailrace-worker.1", "tailrace-replay.1", "tailrace-snapshots-pin.1");
        for (Path page : pages) {
            String first = Files.readAllLines(page).stream()
                    .filter(line -> !line.startsWith("'\\\"") && !line.startsWith(".\\\""))
                    .findFirst()
                    .orElseThrow();
            String title = page.getFileName().toString().replace(".1", "").toUpperCase(Locale.ROOT);
            assertThat(first).startsWith(".TH \"%s\" \"1\"".formatted(title.replace("-", "\\-")));
        }
    }

    @Test
    void manRendersAPage() throws IOException, InterruptedException {
        ProcessBuilder man = new ProcessBuilder(
                        "man", "-l", PAGES.resolve("tailrace-replay.1").toString())
                .redirectErrorStream(true);
        man.environment().put("MANPAGER", "cat");
        man.environment().put("MANWIDTH", "100");
        Process process = man.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        assertThat(text).contains("NAME", "SYNOPSIS", "--input", "--sharing").doesNotContain("warning");
    }
}
