package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
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
                        assertThat(jobs.put(name, target.getOrDefault("job", NONE)))
                                .as(name)
                                .isNull();
                    });
                }
            }
        });
        Map<String, String> expected = new HashMap<>();
        for (String pod :
                new TreeSet<>(RenderedChart.pods(RenderedChart.objects(way)).keySet())) {
            switch (pod) {
                case "Job/topics" -> {}
                // Flink gives its pods label `component` itself, which its operator's template lacks
                case "FlinkDeployment/tailrace-job" -> expected.put(pod, NONE);
                case "Deployment/jobmanager", "Deployment/taskmanager" ->
                    expected.put(pod, "flink-" + pod.substring(pod.indexOf('/') + 1));
                case "Deployment/audit" -> expected.put(pod, "audit");
                default -> expected.put(pod, "worker");
            }
        }
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
            } else if (!matcher.matches() && "keep".equals(rule.get("action"))) {
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
