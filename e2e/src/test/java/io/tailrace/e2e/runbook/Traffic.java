package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine;

/** A fleet's requests and answers, in batches of three lanes. A batch that was sent is acknowledged by Kafka, whole. */
final class Traffic {
    static final String MODEL = "synthetic@1,vocabulary=32768,tokenizer=synthetic-words";
    static final int REQUESTS = 60;
    private static final long BATCH_MINUTES_MAX = 2;
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final Path folder;
    private final List<String> batches = new ArrayList<>();

    /** @param folder for its files and caches */
    Traffic(Path folder) {
        this.folder = folder;
    }

    /** Sends one batch. */
    synchronized void send(String bootstrap, Path store, String... more) {
        String name = "batch-" + batches.size() * REQUESTS;
        String file = folder.resolve(name + ".jsonl.gz").toString();
        tailrace(
                "traffic",
                "--requests",
                Integer.toString(REQUESTS),
                "--seed",
                Integer.toString(batches.size() * REQUESTS),
                "--id-prefix",
                name + "-",
                file);
        List<String> load = new ArrayList<>(List.of(
                "load",
                "--name",
                name,
                "--bootstrap",
                bootstrap,
                "--store",
                store.toUri().toString(),
                "--model",
                MODEL,
                "--input",
                file,
                "--cache",
                folder.resolve("cache").toString(),
                "--pace",
                "20",
                "--port",
                "-1"));
        load.addAll(List.of(more));
        tailrace(load.toArray(String[]::new));
        batches.add(name);
    }

    /** Batch after batch until {@link Flow#stop}. */
    Flow flow(String bootstrap, Path store, String... more) {
        return new Flow(() -> send(bootstrap, store, more));
    }

    private static void tailrace(String... arguments) {
        CommandLine tailrace = Tailrace.commandLine();
        tailrace.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        assertThat(tailrace.execute(arguments)).isEqualTo(ExitCodes.DONE);
    }

    /** Answers so far. */
    synchronized int sent() {
        return batches.size() * REQUESTS;
    }

    /** Their request ids, which Kafka has acknowledged. */
    synchronized List<String> ids() throws IOException {
        List<String> ids = new ArrayList<>();
        for (String name : batches) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(folder.resolve(name + ".jsonl.gz"))),
                    StandardCharsets.UTF_8))) {
                lines.lines().map(ID::matcher).filter(Matcher::find).forEach(id -> ids.add(id.group(1)));
            }
        }
        return ids;
    }

    /** Traffic that goes on by itself. */
    static final class Flow {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final CompletableFuture<Void> sending;

        private Flow(Runnable batch) {
            sending = CompletableFuture.runAsync(() -> {
                while (!stopped.get()) {
                    batch.run();
                }
            });
        }

        /** Returns when the last batch is acknowledged. */
        void stop() throws Exception {
            stopped.set(true);
            sending.get(BATCH_MINUTES_MAX, TimeUnit.MINUTES);
        }
    }
}
