package io.tailrace.e2e.serving;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A JVM of its own with this test's class path, which can be told to end and can be killed. */
final class JavaProcess implements AutoCloseable {
    private static final Duration SPEAKS_MAX = Duration.ofSeconds(90);
    private static final long ENDS_SECONDS_MAX = 120;

    private final String name;
    private final Process process;
    private final Path output;

    private JavaProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /**
     * Starts one.
     *
     * @param folder its output goes to {@code NAME.out} there, its logs beside it
     * @param heap as {@code -Xmx} takes it; all of it resident from the start
     * @param jvmOptions further ones
     */
    static JavaProcess start(
            Path folder, String name, String heap, List<String> jvmOptions, Class<?> main, List<String> arguments)
            throws IOException {
        Path output = Files.createDirectories(folder).resolve(name + ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+AlwaysPreTouch",
                "-Dtailrace.home=" + folder,
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        return new JavaProcess(name, process, output);
    }

    long id() {
        return process.pid();
    }

    /** All it and its forerunners of the same name have said. */
    String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has said these words once more than {@code before} times. */
    void awaitWords(String words, int before) {
        Awaitility.await(name + " to say " + words)
                .atMost(SPEAKS_MAX)
                .failFast(this::requireAlive)
                .until(() -> count(output(), words) > before);
    }

    private void requireAlive() {
        if (!process.isAlive()) {
            throw new AssertionError(name + " has ended: " + output());
        }
    }

    static int count(String text, String words) {
        int count = 0;
        for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
            count++;
        }
        return count;
    }

    boolean alive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    void awaitEnd() {
        try {
            if (!process.waitFor(ENDS_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(name + " does not end: " + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ended", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
