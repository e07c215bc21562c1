package io.tailrace.lab.bench.engine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code tailrace agent} in a process of its own, as a user has it. */
final class AgentProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofMinutes(1);
    private static final Duration END_MAX = Duration.ofSeconds(20);

    private final Process process;
    private final Path socket;

    private AgentProcess(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /**
     * Starts one and waits until engines can connect.
     *
     * @param folder of its own; its log, too
     * @param sockets where its socket is put: a path of a socket is short
     */
    static AgentProcess start(String name, Path folder, Path sockets, List<String> arguments)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path socket = sockets.resolve(name + ".sock");
        Path log = folder.resolve("agent.log");
        Process process = new ProcessBuilder(command(name, folder, socket, arguments))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!Files.exists(socket)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("the agent did not start: " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return new AgentProcess(process, socket);
    }

    private static List<String> command(String name, Path folder, Path socket, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "io.tailrace.cli.Tailrace",
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
    String address() {
        return socket.toString();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
