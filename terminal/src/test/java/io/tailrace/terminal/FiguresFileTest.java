package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresFileTest {
    private static final String HOME = "tailrace.home";

    @TempDir
    private Path checkout;

    private final String home = System.getProperty(HOME);

    @AfterEach
    void restoreHome() {
        if (home == null) {
            System.clearProperty(HOME);
        } else {
            System.setProperty(HOME, home);
        }
    }

    @Test
    void figuresAreOfTheCommitThatWasThereAtTheStart() throws Exception {
        git("init", "--quiet");
        commit("one");
        System.setProperty(HOME, checkout.toString());
        FiguresFile figures = new FiguresFile();
        figures.check();
        String started = Machine.commit();
        commit("two");
        assertThat(Machine.commit()).isNotEqualTo(started);
        assertThat(figures.begin()).containsEntry("commit", started);
        assertThat(figures.where()).endsWith("commit " + started);
    }

    private void commit(String text) throws IOException, InterruptedException {
        Files.writeString(checkout.resolve("file"), text);
        git("add", "file");
        git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "--message", text);
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command)
                .directory(checkout.toFile())
                .inheritIO()
                .start();
        assertThat(git.waitFor()).isZero();
    }
}
