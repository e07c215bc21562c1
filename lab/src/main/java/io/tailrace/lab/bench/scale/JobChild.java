package io.tailrace.lab.bench.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link CountedJob} in a process of its own. One thread at a time. */
final class JobChild implements AutoCloseable {
    private static final int ANSWER_SECONDS_MAX = 150;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private JobChild(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it and waits until its job has completed a checkpoint.
     *
     * @param folder of its own
     * @param heapMegabytes of its process
     */
    static JobChild start(Path folder, int heapMegabytes, List<String> jobArguments)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:G1HeapRegionSize=16m",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CountedJob.class.getName(),
                folder.resolve("flink").toString()));
        command.addAll(jobArguments);
        Path log = folder.resolve("job.log");
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        JobChild child = new JobChild(process, log);
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Thread reader = new Thread(child::read, "job's answers");
        reader.setDaemon(true);
        reader.start();
        child.answer();
        return child;
    }

    /** What it has used so far. */
    JobUse use() throws IOException, InterruptedException {
        return ask("");
    }

    /** The same with its live heap, which costs it a full collection. */
    JobUse useWithHeap() throws IOException, InterruptedException {
        return ask(CountedJob.WITH_HEAP);
    }

    private JobUse ask(String question) throws IOException, InterruptedException {
        process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return answer();
    }

    private JobUse answer() throws IOException, InterruptedException {
        for (int second = 0; second < ANSWER_SECONDS_MAX; second++) {
            String answer = answers.poll(1, TimeUnit.SECONDS);
            if (answer != null) {
                return JSON.readValue(answer, JobUse.class);
            }
            if (!process.isAlive()) {
                break;
            }
        }
        throw new IOException("the job does not answer: " + Files.readString(log));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(CountedJob.ANSWER)) {
                    answers.add(line.substring(CountedJob.ANSWER.length()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
