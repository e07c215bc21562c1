package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsReporterIT {
    @TempDir
    private Path folder;

    @Test
    void theJobsMetricsComeOutWherePrometheusAsksForThem() throws Exception {
        int port = freePort();
        Map<String, String> settings =
                Map.of("metrics.reporters", "prometheus", "metrics.reporter.prometheus.port", Integer.toString(port));
        try (LocalFlink flink = LocalFlink.start(new LocalFlink.Options(folder, 0, 1, 1, settings))) {
            assertThat(flink.dashboard()).isNotNull();
            HttpResponse<String> scrape = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(scrape.statusCode()).isEqualTo(200);
            assertThat(scrape.body()).contains("flink_jobmanager_");
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
