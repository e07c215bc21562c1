package io.tailrace.local.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A part of an installation as a process, which can be killed, paused and started again with the same command. One thread at a time, but for
 * {@link #alive} and {@link #pid}.
 */
public final class ChildProcess implements AutoCloseable {
    private static final long END_SECONDS_MAX = 30;
    private static final int TAIL_LINES = 12;
    private static final long LOOK_MILLIS = 50;

    private final Command command;
    private volatile Process process;
    private boolean paused;
    private int starts;

    /**
     * How it is started.
     *
     * @param name in tables and of its log
     * @param words the command line
     * @param environment beside this process's own
     * @param folder where it is started; all it may write to is below the run's folder
     * @param log what it says
     */
    public record Command(String name, List<String> words, Map<String, String> environment, Path folder, Path log) {
        public Command {
            words = List.copyOf(words);
            environment = Map.copyOf(environment);
        }
    }

    public ChildProcess(Command command) {
        this.command = command;
    }

    public String name() {
        return command.name();
    }

    public void start() throws IOException {
        Files.createDirectories(command.folder());
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command.words()))
                .directory(command.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        builder.environment().putAll(command.environment());
        process = builder.start();
        paused = false;
        starts++;
    }

    /** How often it has been started. */
    public int starts() {
        return starts;
    }

    public boolean alive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM, and SIGKILL where that does not end it. */
    public void end() throws IOException, InterruptedException {
        if (!alive()) {
            return;
        }
        if (paused) {
            resume();
        }
        process.destroy();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** SIGSTOP: it does nothing, and its connections stay. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
        paused = true;
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        if (alive()) {
            signal("CONT");
        }
        paused = false;
    }

    /** Waits until it has said the words once for each of its starts. */
    public void awaitWords(String words, int secondsMax) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (count(words) < starts) {
            if (!alive() || System.nanoTime() > deadline) {
                throw new IOException("%s did not say '%s' within %d s; the end of %s: %s"
                        .formatted(name(), words, secondsMax, command.log(), tail()));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** The end of what it has said. */
    public String tail() throws IOException {
        List<String> lines = said().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    private String said() throws IOException {
        // It may be killed within a character.
        return new String(Files.readAllBytes(command.log()), StandardCharsets.UTF_8);
    }

    private long count(String words) throws IOException {
        return said().lines().filter(line -> line.contains(words)).count();
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("%s (process %d) took no signal %s".formatted(name(), process.pid(), signal));
        }
    }

    @Override
    public void close() {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            running.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
