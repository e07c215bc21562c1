package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Prometheus without an operator gives the chart's pods the jobs by whose names the alerts go: its rules, worked through by hand. */
class ScrapeConfigurationTest {
    private static final String NONE = "";

    static List<String> ways() {
        return RenderedChart.WAYS;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void everyPodWithMetricsIsScrapedOnceAsTheJobOfItsAlerts(String way) {
        Map<String, String> jobs = new HashMap<>();
        RenderedChart.pods(RenderedChart.objects(way)).forEach((name, pod) -> {
            for (Map<String, Object> container : RenderedChart.containers(pod)) {
                for (Object port : (List<?>) container.getOrDefault("ports", List.of())) {
                    targetOf(pod, RepositoryFiles.map(port)).ifPresent(target -> {
                        assertThat(target).containsEntry("installation", "tailrace/tailrace");
                        String place = name + " " + container.get("name");
                        assertThat(jobs.put(place, target.getOrDefault("job", NONE)))
                                .as(place)
                                .isNull();
                    });
                }
            }
        });
        Map<String, String> expected = new HashMap<>();
        RenderedChart.pods(RenderedChart.objects(way)).forEach((name, pod) -> {
            for (Map<String, Object> container : RenderedChart.containers(pod)) {
                String place = name + " " + container.get("name");
                switch (String.valueOf(container.get("name"))) {
                    case "agent", "worker" -> expected.put(place, "worker");
                    // Flink gives its pods label `component` itself, which its operator's template lacks
                    case "flink-main-container" -> expected.put(place, NONE);
                    case "jobmanager", "taskmanager" -> expected.put(place, "flink-" + container.get("name"));
                    case "audit", "vllm" -> expected.put(place, String.valueOf(container.get("name")));
                    default -> {}
                }
            }
        });
        assertThat(jobs).isEqualTo(expected);
    }

    /** The labels that Prometheus gives the target, or none where it drops it. */
    private static Optional<Map<String, String>> targetOf(Map<String, Object> pod, Map<String, Object> port) {
        Map<String, String> labels = discovered(pod, port);
        Map<String, Object> scrape = RepositoryFiles.map(((List<?>)
                        RepositoryFiles.yaml("deploy/prometheus/kubernetes.yml").get("scrape_configs"))
                .get(0));
        for (Object each : (List<?>) scrape.get("relabel_configs")) {
            Map<String, Object> rule = RepositoryFiles.map(each);
            String separator = String.valueOf(rule.getOrDefault("separator", ";"));
            String source = RepositoryFiles.strings(rule.get("source_labels")).stream()
                    .map(label -> labels.getOrDefault(label, NONE))
                    .collect(Collectors.joining(separator));
            Matcher matcher = Pattern.compile(String.valueOf(rule.getOrDefault("regex", "(.*)")))
                    .matcher(source);
            if (matcher.matches() && rule.containsKey("target_label")) {
                labels.put(
                        String.valueOf(rule.get("target_label")),
                        matcher.replaceFirst(String.valueOf(rule.getOrDefault("replacement", "$1"))));
            } else if (matcher.matches() == "drop".equals(rule.get("action")) && !rule.containsKey("target_label")) {
                return Optional.empty();
            }
        }
        return Optional.of(labels);
    }

    private static Map<String, String> discovered(Map<String, Object> pod, Map<String, Object> port) {
        Map<String, String> labels = new HashMap<>();
        labels.put("__meta_kubernetes_namespace", "tailrace");
        labels.put("__meta_kubernetes_pod_container_port_name", String.valueOf(port.get("name")));
        RepositoryFiles.map(RepositoryFiles.map(pod.get("metadata")).get("labels"))
                .forEach((label, value) -> {
                    String plain = label.replaceAll("[^A-Za-z0-9_]", "_");
                    labels.put("__meta_kubernetes_pod_label_" + plain, String.valueOf(value));
                    labels.put("__meta_kubernetes_pod_labelpresent_" + plain, "true");
                });
        return labels;
    }
}
