package io.tailrace.lab.engine;

import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * {@code tailrace agent} in a process of its own, with the class path of this one. It can be paused, killed and started again, and does not
 * outlive this process. One thread at a time.
 */
public final class AgentProcess implements Closeable {
    private static final Duration START_MAX = Duration.ofMinutes(1);
    private static final Duration END_MAX = Duration.ofSeconds(20);
    /** The last words of its start. */
    private static final Pattern PAGE = Pattern.compile("status and metrics at (http://\\S+)");

    private final List<String> command;
    private final Path socket;
    private final Path log;
    private volatile Process process;
    private URI page;
    private int starts;

    private AgentProcess(List<String> command, Path socket, Path log) {
        this.command = command;
        this.socket = socket;
        this.log = log;
    }

    /**
     * Starts one and waits until engines can connect.
     *
     * @param folder of its own; its log, too
     * @param sockets where its socket is put: a path of a socket is short
     */
    public static AgentProcess start(String name, Path folder, Path sockets, List<String> arguments)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path socket = sockets.resolve(name + ".sock");
        AgentProcess agent =
                new AgentProcess(command(name, folder, socket, arguments), socket, folder.resolve("agent.log"));
        Runtime.getRuntime().addShutdownHook(new Thread(agent::end));
        agent.start();
        return agent;
    }

    /** Starts it again after it has ended, at the same socket and with the same folders. */
    public void start() throws IOException, InterruptedException {
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        starts++;
        long deadline = System.nanoTime() + START_MAX.toNanos();
        List<String> pages = pages();
        while (pages.size() < starts) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("the agent did not start: " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(50);
            pages = pages();
        }
        page = URI.create(pages.get(starts - 1));
    }

    /** Where each of its starts has found a port. */
    private List<String> pages() throws IOException {
        return PAGE.matcher(Files.readString(log))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static List<String> command(String name, Path folder, Path socket, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "io.tailrace.agent.command.AgentMain",
                "agent",
                "--listen",
                socket.toString(),
                "--port",
                "0",
                "--name",
                name,
                "--kept",
                folder.resolve("kept").toString(),
                "--cache",
                folder.resolve("cache").toString(),
                "--spool",
                folder.resolve("spool").toString()));
        command.addAll(arguments);
        return command;
    }

    /** Where engines connect. */
    public String address() {
        return socket.toString();
    }

    /** What it counts, at this moment. */
    public MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.read(page.resolve("/metrics"));
    }

    /** SIGSTOP: it does nothing, and its socket stays. */
    public void pause() throws IOException, InterruptedException {
        Signals.send("STOP", process);
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        Signals.send("CONT", process);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(socket);
    }

    /** SIGTERM, where this process ends before it is closed. */
    private void end() {
        if (process != null) {
            process.destroy();
        }
    }
}
