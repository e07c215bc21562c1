package io.tailrace.e2e.serving;

import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** {@code tailrace worker} with a model, in a process of its own, as operators run it. */
final class ServingChild implements AutoCloseable {
    private static final String SERVES = "tiny@1 at http://";
    private static final Pattern ADDRESS = Pattern.compile(SERVES + "(127\\.0\\.0\\.1:[0-9]+)/v1");
    private static final Duration SENT_MAX = Duration.ofSeconds(60);

    private final JavaProcess process;
    private final WorkerClient client;

    private ServingChild(JavaProcess process, WorkerClient client) {
        this.process = process;
        this.client = client;
    }

    /**
     * Starts a worker; one of the same name takes up its forerunner's spool.
     *
     * @param folder of all workers
     * @param jvmOptions beside those that every child has
     * @param more options
     */
    static ServingChild start(
            Path folder, String name, List<String> jvmOptions, Path model, String bootstrap, String... more)
            throws IOException {
        Path own = folder.resolve(name);
        List<String> arguments = new ArrayList<>(List.of(
                "worker",
                "--name",
                name,
                "--model",
                model.toString(),
                "--served-model",
                "tiny@1",
                "--device",
                "cpu",
                "--port",
                "0",
                "--request-reports",
                "--bootstrap",
                bootstrap,
                "--store",
                folder.resolve("store").toUri().toString(),
                "--cache",
                own.resolve("cache").toString(),
                "--spool",
                own.resolve("spool").toString()));
        arguments.addAll(List.of(more));
        int before = Files.exists(own.resolve(name + ".out"))
                ? JavaProcess.count(Files.readString(own.resolve(name + ".out")), SERVES)
                : 0;
        JavaProcess process = JavaProcess.start(own, name, "256m", jvmOptions, Tailrace.class, arguments);
        process.awaitWords(SERVES, before);
        return new ServingChild(process, new WorkerClient("http://" + lastAddress(process.output())));
    }

    private static String lastAddress(String output) {
        Matcher found = ADDRESS.matcher(output);
        String address = null;
        while (found.find()) {
            address = found.group(1);
        }
        return address;
    }

    JavaProcess process() {
        return process;
    }

    WorkerClient client() {
        return client;
    }

    /** Waits until Kafka has everything that was reported. */
    void awaitAllSent() {
        Awaitility.await("an empty spool").atMost(SENT_MAX).until(() -> client.metric("tailrace_spool_records") == 0);
    }

    @Override
    public void close() {
        process.close();
    }
}
