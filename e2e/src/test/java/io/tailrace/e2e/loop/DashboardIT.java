package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.MetricQuery;
import io.tailrace.e2e.deploy.RepositoryFiles;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboard asks of the job is what a running job shows, label by label, with lanes spelled as workers spell them. */
@Tag("full")
class DashboardIT {
    private static final Duration SHOWN_MAX = Duration.ofMinutes(1);
    private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** Of Prometheus' own scrape. */
    private static final String INSTALLATION = "installation";

    @TempDir
    private Path folder;

    @Test
    void aRunningJobShowsEveryMetricAndLabelThatTheDashboardAsksFor() throws Exception {
        int port = PrometheusProcess.freePort();
        try (LoopUnderLoad loop = LoopUnderLoad.start(
                        LoopUnderLoad.options(folder, Fleet.MODEL).withMetricsPort(port));
                LoopObserver observer = loop.observe()) {
            Fleet fleet = new Fleet(loop, observer, 5);
            LoadWorker worker = loop.addWorker("worker");
            worker.serve(fleet.request("first", "alpha"));
            fleet.produce("bad".getBytes(StandardCharsets.UTF_8), new byte[] {1, 2, 3});
            fleet.awaitLoaded(worker, "alpha");
            Map<String, Set<String>> asked = askedOfTheJob();
            assertThat(asked).hasSizeGreaterThan(20);
            Awaitility.await("every metric of " + asked.keySet())
                    .atMost(SHOWN_MAX)
                    .untilAsserted(() -> assertThat(shown(port).keySet()).containsAll(asked.keySet()));
            Map<String, Set<String>> shown = shown(port);
            asked.forEach(
                    (metric, labels) -> assertThat(shown.get(metric)).as(metric).containsAll(labels));
            assertThat(scrape(port)).contains("lane=\"" + Fleet.MODEL.lane("alpha") + "\"");
        }
    }

    private static Map<String, Set<String>> askedOfTheJob() {
        Map<String, Set<String>> asked = new TreeMap<>();
        RepositoryFiles.json("deploy/grafana/dashboards/tailrace.json")
                .findValuesAsText("expr")
                .forEach(expression -> new MetricQuery(expression).asked().forEach((metric, labels) -> {
                    if (metric.startsWith("flink_")) {
                        asked.computeIfAbsent(metric, name -> new TreeSet<>()).addAll(labels);
                    }
                }));
        asked.values().forEach(labels -> labels.remove(INSTALLATION));
        // Only a quota refuses in a shard, and this job has none.
        asked.keySet().removeIf(metric -> metric.endsWith("lane_shard_reason_rejected"));
        return asked;
    }

    private static Map<String, Set<String>> shown(int port) throws Exception {
        Map<String, Set<String>> shown = new TreeMap<>();
        Matcher series = SERIES.matcher(scrape(port));
        while (series.find()) {
            Set<String> labels = shown.computeIfAbsent(series.group(1), name -> new TreeSet<>());
            if (series.group(2) != null) {
                LABEL.matcher(series.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
        }
        return shown;
    }

    private static String scrape(int port) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
