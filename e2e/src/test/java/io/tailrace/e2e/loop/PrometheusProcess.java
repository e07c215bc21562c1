package io.tailrace.e2e.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.e2e.deploy.RepositoryFiles;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A real Prometheus with the repository's alerts, which looks at its targets each second.
 *
 * <pre>{@code
 * prometheus.scrape("worker", port);
 * assertThat(prometheus.isRaised("TailraceWorkerDown")).isFalse();
 * }</pre>
 */
final class PrometheusProcess implements AutoCloseable {
    private static final String PROGRAM = "prometheus";
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final int port;
    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    /** The deploy file's expressions by the alerts' names. */
    private final Map<String, String> expressions = expressions();
    /** Ports by job. */
    private final Map<String, List<Integer>> targets = new LinkedHashMap<>();

    private PrometheusProcess(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Where it is installed. */
    static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static PrometheusProcess start(Path program, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path targets = folder.resolve("targets.json");
        Files.writeString(targets, "[]");
        Files.writeString(folder.resolve("prometheus.yml"), """
                global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
                rule_files: [ "%s" ]
                scrape_configs:
                  - job_name: any
                    file_sd_configs: [ { files: [ "%s" ], refresh_interval: 1s } ]
                """.formatted(
                        RepositoryFiles.root().resolve("deploy/prometheus/alerts.yml"), targets));
        int port = freePort();
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + folder.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        PrometheusProcess started = new PrometheusProcess(folder, port, process);
        Awaitility.await("Prometheus to be ready")
                .atMost(START_MAX)
                .failFast("Prometheus has ended", () -> !process.isAlive())
                .ignoreExceptions()
                .until(() -> started.get("/-/ready").contains("Ready"));
        return started;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Map<String, String> expressions() {
        Map<String, String> expressions = new LinkedHashMap<>();
        for (Object group :
                (List<?>) RepositoryFiles.yaml("deploy/prometheus/alerts.yml").get("groups")) {
            for (Object rule : (List<?>) RepositoryFiles.map(group).get("rules")) {
                Map<String, Object> map = RepositoryFiles.map(rule);
                expressions.put(String.valueOf(map.get("alert")), String.valueOf(map.get("expr")));
            }
        }
        return expressions;
    }

    /** Looks at a port from now on; a job may have several. */
    synchronized void scrape(String job, int atPort) throws IOException {
        targets.computeIfAbsent(job, unused -> new ArrayList<>()).add(atPort);
        List<Map<String, Object>> all = new ArrayList<>();
        targets.forEach((name, ports) -> all.add(Map.of(
                "targets",
                ports.stream().map(number -> "127.0.0.1:" + number).toList(),
                "labels",
                Map.of("job", name))));
        Path next = folder.resolve("targets.next");
        Files.write(next, JSON.writeValueAsBytes(all));
        Files.move(
                next,
                folder.resolve("targets.json"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** All alerts that the repository has. */
    List<String> alerts() {
        return List.copyOf(expressions.keySet());
    }

    /** Whether the alert's condition holds now; how long it must hold until somebody is told is left out. */
    boolean isRaised(String alert) throws IOException, InterruptedException {
        return !query(expressions.get(alert)).isEmpty();
    }

    /** What an expression gives now. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        String answer = get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        JsonNode parsed = JSON.readTree(answer);
        if (!parsed.path("status").asText().equals("success")) {
            throw new IOException(expression + ": " + answer);
        }
        return parsed.get("data").get("result");
    }

    private String get(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
