package io.tailrace.operators.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScratchFolderTest {
    @TempDir
    Path parent;

    /** Holds a folder until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (ScratchFolder held = ScratchFolder.create(arguments[0], "lanes")) {
                Files.writeString(held.newFolder().resolve("file"), "left behind");
                System.out.println(held.root());
                System.out.flush();
                System.in.read();
            }
        }
    }

    @Test
    void foldersInUseStayWhoeverComes() throws Exception {
        try (ScratchFolder one = ScratchFolder.create(parent.toString(), "lanes");
                ScratchFolder two = ScratchFolder.create(parent.toString(), "lanes");
                ScratchFolder three = ScratchFolder.create(parent.toString(), "lanes")) {
            assertThat(one.root()).isNotEqualTo(two.root()).exists();
            assertThat(two.newFolder()).exists();
            assertThat(three.newFolder()).exists();
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatAKilledProcessLeftBehindGoesWithTheNextAndNothingElse() throws Exception {
        Path others = Files.createDirectories(parent.resolve("tailrace-lanes-of-an-earlier-release"));
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        parent.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path left;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            left = Path.of(out.readLine());
            for (int i = 0; i < 3; i++) {
                try (ScratchFolder beside = ScratchFolder.create(parent.toString(), "lanes")) {
                    assertThat(beside.root()).exists();
                    assertThat(left).as("its process lives").exists();
                }
            }
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(left).exists();
        try (ScratchFolder next = ScratchFolder.create(parent.toString(), "lanes")) {
            assertThat(left).doesNotExist();
            assertThat(others).exists();
            assertThat(next.root()).exists();
        }
    }
}
