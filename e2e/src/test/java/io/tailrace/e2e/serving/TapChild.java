package io.tailrace.e2e.serving;

import io.tailrace.cli.Tailrace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * {@code tailrace tap} in a process of its own.
 *
 * @param front where clients connect
 * @param operator where its metrics are
 */
record TapChild(JavaProcess process, String address, WorkerClient front, WorkerClient operator)
        implements AutoCloseable {
    private static final String FORWARDS = "clients connect at ";

    /**
     * Starts one; it forwards when this returns.
     *
     * @param folder its spool and its output lie there, by its name
     * @param more arguments
     */
    static TapChild start(Path folder, String name, URI upstream, String model, String bootstrap, List<String> more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "tap",
                "--upstream",
                upstream.toString(),
                "--served-model",
                model,
                "--port",
                "0",
                "--operator-port",
                "0",
                "--bootstrap",
                bootstrap,
                "--spool",
                folder.resolve(name + "-spool").toString()));
        arguments.addAll(more);
        int before = number(folder, name);
        JavaProcess process =
                JavaProcess.start(folder.resolve(name), name, "256m", List.of(), Tailrace.class, arguments);
        process.awaitWords("metrics at ", before);
        String address = last(process.output(), FORWARDS + "(http://[0-9.:]+)");
        String metrics = last(process.output(), "metrics at (http://[0-9.:]+)/metrics");
        return new TapChild(process, address, new WorkerClient(address), new WorkerClient(metrics));
    }

    private static int number(Path folder, String name) throws IOException {
        Path output = folder.resolve(name).resolve(name + ".out");
        return Files.exists(output) ? JavaProcess.count(Files.readString(output), "metrics at ") : 0;
    }

    private static String last(String output, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(output);
        String last = null;
        while (found.find()) {
            last = found.group(1);
        }
        return last;
    }

    void awaitMetric(String name, long value) {
        Awaitility.await(name).atMost(Duration.ofSeconds(60)).until(() -> operator.metric(name) == value);
    }

    /** Answers that were not published, for a reason. */
    long skipped(String reason) throws IOException, InterruptedException {
        return operator.metric("tailrace_tap_skipped_total", "reason=\"%s\"".formatted(reason));
    }

    @Override
    public void close() {
        process.close();
    }
}
