package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.local.LoopbackPorts;
import io.tailrace.local.cluster.Ports;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code tailrace demo --metrics-port} says it shows is there for Prometheus, while it runs. */
@Tag("full")
class DemoMetricsIT {
    private static final Duration SHOWN_MAX = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void theJobsMetricsAreOnItsPortAndEachWorkersOnOneAfterIt() throws Exception {
        int port = pairOfPorts();
        CommandLine tailrace = Tailrace.commandLine();
        tailrace.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        CompletableFuture<Integer> demo = CompletableFuture.supplyAsync(() -> tailrace.execute(
                "demo",
                "--requests",
                "100",
                "--pace",
                "5",
                "--workers",
                "1",
                "--port",
                "0",
                "--metrics-port",
                Integer.toString(port),
                "--folder",
                folder.toString()));
        shown(
                demo,
                port,
                "flink_jobmanager_job_numRestarts",
                "flink_taskmanager_job_task_operator_lane_shard_admitted");
        shown(demo, port + 1, "tailrace_steps_total", "tailrace_snapshot_held");
        assertThat(demo.get(SHOWN_MAX.toSeconds(), TimeUnit.SECONDS))
                .as("how fresh a busy machine is does not matter here")
                .isIn(ExitCodes.DONE, ExitCodes.FELL_SHORT);
    }

    /** The first of two free ports that stand side by side. */
    private static int pairOfPorts() {
        return IntStream.of(Ports.free(100))
                .filter(port -> LoopbackPorts.isFree(port + 1))
                .findFirst()
                .orElseThrow();
    }

    private static void shown(CompletableFuture<Integer> demo, int port, String... metrics) {
        Awaitility.await("metrics at port " + port)
                .atMost(SHOWN_MAX)
                .failFast("the demo has ended", demo::isDone)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(scrape(port)).contains(metrics));
    }

    private static String scrape(int port) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
