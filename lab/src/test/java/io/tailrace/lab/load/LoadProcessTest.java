package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LoadProcessTest {
    @TempDir
    Path folder;

    @Test
    void processWithoutInputRunsUntilStoppedAlsoWhileTheBrokerIsAway() throws Exception {
        LoadProcess process = new LoadProcess(options(List.of()));
        FutureTask<LoadProcess.Summary> ended =
                new FutureTask<>(() -> process.run(bad -> {}, (worker, request, served) -> {}));
        new Thread(ended, "load").start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> process.metricsPort() != LoadProcess.Options.NO_METRICS);
        assertThat(status(process, "/health/live")).isEqualTo(200);
        assertThat(status(process, "/health/ready")).isEqualTo(503);
        process.stop();
        assertThat(ended.get(60, TimeUnit.SECONDS).served().served()).isZero();
    }

    @Test
    void missingInputEndsTheProcessBeforeItConnects() {
        LoadProcess process = new LoadProcess(options(List.of(folder.resolve("missing.jsonl"))));
        assertThatThrownBy(() -> process.run(bad -> {}, (worker, request, served) -> {}))
                .isInstanceOf(RecordedInputException.class);
    }

    private static int status(LoadProcess process, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + process.metricsPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private LoadProcess.Options options(List<Path> inputs) {
        KafkaAccess nobody = new KafkaAccess("127.0.0.1:1", "", Map.of("default.api.timeout.ms", "500"));
        LoadWorker.Options worker = LoadWorker.Options.of(
                "w",
                new ServedModel("m", "1", 100, "tok"),
                nobody,
                FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        return new LoadProcess.Options(
                worker, inputs, RecordedInputOptions.of(100), PacedLoad.Pace.ofRealServers(1), "127.0.0.1", 0);
    }
}
