package io.tailrace.operators.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TaskFolderTest {
    @TempDir
    Path parent;

    /** Holds a folder until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (TaskFolder held = TaskFolder.create(arguments[0], "lanes")) {
                Files.writeString(held.newFolder().resolve("file"), "left behind");
                System.out.println(held.root());
                System.out.flush();
                System.in.read();
            }
        }
    }

    @Test
    void foldersInUseStayWhoeverComes() throws Exception {
        try (TaskFolder one = TaskFolder.create(parent.toString(), "lanes");
                TaskFolder two = TaskFolder.create(parent.toString(), "lanes");
                TaskFolder three = TaskFolder.create(parent.toString(), "lanes")) {
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
                try (TaskFolder beside = TaskFolder.create(parent.toString(), "lanes")) {
                    assertThat(beside.root()).exists();
                    assertThat(left).as("its process lives").exists();
                }
            }
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(left).exists();
        try (TaskFolder next = TaskFolder.create(parent.toString(), "lanes")) {
            assertThat(left).doesNotExist();
            assertThat(others).exists();
            assertThat(next.root()).exists();
        }
    }
}
