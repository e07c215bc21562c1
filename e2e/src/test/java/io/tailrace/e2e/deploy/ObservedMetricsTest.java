package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.operators.MetricNames;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboards, the alerts and the scrape configuration ask for metrics that somebody measures. */
class ObservedMetricsTest {
    private static final Pattern METRIC = Pattern.compile("\\b(flink|tailrace)_[A-Za-z0-9_]+");
    private static final Pattern OPERATOR_METRIC =
            Pattern.compile("flink_taskmanager_job_task_operator_((?:lane|shard|reason)_)*([A-Za-z0-9]+)");
    private static final Set<String> OF_FLINK_ITSELF = Set.of(
            "flink_jobmanager_numRunningJobs",
            "flink_jobmanager_job_numRestarts",
            "flink_jobmanager_job_lastCheckpointDuration",
            "flink_jobmanager_job_numberOfFailedCheckpoints",
            "flink_jobmanager_job_numberOfCompletedCheckpoints",
            "flink_taskmanager_job_task_operator_pendingRecords");
    private static final Pattern METER =
            Pattern.compile("(laneCounter|counter|count|laneGauge|spool|gauge|timer)\\(\\s*\"(tailrace[.a-z0-9]+)\"");

    @Test
    void dashboardsAskForMetricsThatExist() throws Exception {
        for (String dashboard : RepositoryFiles.below("deploy/grafana/dashboards", ".json")) {
            for (JsonNode expression : RepositoryFiles.json(dashboard).findValues("expr")) {
                assertExists(expression.asText());
            }
        }
    }

    @Test
    void alertsAskForMetricsThatExistAndAreExplained() throws Exception {
        String page = RepositoryFiles.text("docs/how-to/monitor.md");
        for (Map<String, Object> rule : rules()) {
            assertExists(String.valueOf(rule.get("expr")));
            assertThat(rule).containsKeys("alert", "labels", "annotations");
            assertThat(page).contains("`" + rule.get("alert") + "`");
        }
    }

    @Test
    void panelsHaveIdsOfTheirOwnAndOneDatasource() {
        for (String dashboard : RepositoryFiles.below("deploy/grafana/dashboards", ".json")) {
            List<Integer> ids = new ArrayList<>();
            for (JsonNode panel : RepositoryFiles.json(dashboard).get("panels")) {
                ids.add(panel.get("id").asInt());
                assertThat(panel.path("datasource").path("uid").asText("prometheus"))
                        .isEqualTo("prometheus");
            }
            assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
        }
        Map<String, Object> provisioned =
                RepositoryFiles.yaml("deploy/grafana/provisioning/datasources/prometheus.yml");
        assertThat(RepositoryFiles.map(((List<?>) provisioned.get("datasources")).get(0)))
                .containsEntry("uid", "prometheus");
    }

    @Test
    void prometheusScrapesServicesOfTheComposeFileAndReadsTheAlerts() {
        Set<String> services = RepositoryFiles.map(
                        RepositoryFiles.yaml("docker-compose.yml").get("services"))
                .keySet();
        Map<String, Object> prometheus = RepositoryFiles.yaml("deploy/prometheus/prometheus.yml");
        for (Object job : (List<?>) prometheus.get("scrape_configs")) {
            for (Object group : (List<?>) RepositoryFiles.map(job).get("static_configs")) {
                for (String target :
                        RepositoryFiles.strings(RepositoryFiles.map(group).get("targets"))) {
                    String host = target.substring(0, target.indexOf(':'));
                    assertThat(host.equals("localhost") || services.contains(host))
                            .as(target)
                            .isTrue();
                }
            }
        }
        assertThat(RepositoryFiles.strings(prometheus.get("rule_files"))).containsExactly("/etc/prometheus/alerts.yml");
    }

    private static List<Map<String, Object>> rules() {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Object group :
                (List<?>) RepositoryFiles.yaml("deploy/prometheus/alerts.yml").get("groups")) {
            for (Object rule : (List<?>) RepositoryFiles.map(group).get("rules")) {
                rules.add(RepositoryFiles.map(rule));
            }
        }
        return rules;
    }

    private static void assertExists(String expression) throws Exception {
        List<String> asked =
                METRIC.matcher(expression).results().map(MatchResult::group).toList();
        assertThat(!asked.isEmpty() || expression.startsWith("up{"))
                .as(expression)
                .isTrue();
        for (String metric : asked) {
            if (metric.startsWith("tailrace_")) {
                assertThat(processMetrics()).contains(metric);
            } else if (!OF_FLINK_ITSELF.contains(metric)) {
                var operatorMetric = OPERATOR_METRIC.matcher(metric);
                assertThat(operatorMetric.matches()).as(metric).isTrue();
                assertThat(jobMetrics()).contains(operatorMetric.group(2));
            }
        }
    }

    private static Set<String> jobMetrics() throws IllegalAccessException {
        Set<String> names = new TreeSet<>();
        for (Field constant : MetricNames.class.getFields()) {
            names.add(String.valueOf(constant.get(null)));
        }
        return names;
    }

    /** What Prometheus calls the meters that sources name: gauges as they are, the others with an ending. */
    private static Set<String> processMetrics() {
        Set<String> names = new TreeSet<>();
        for (String source : List.of(
                "cli/src/main/java/io/tailrace/cli/audit/AuditMetrics.java",
                "monitoring/src/main/java/io/tailrace/monitoring/Meters.java",
                "monitoring/src/main/java/io/tailrace/monitoring/LaneMeters.java",
                "worker/src/main/java/io/tailrace/worker/serve/WorkerMetrics.java",
                "worker/src/main/java/io/tailrace/worker/serve/ServingWorker.java")) {
            METER.matcher(RepositoryFiles.text(source))
                    .results()
                    .forEach(meter -> names.add(meter.group(2).replace('.', '_')
                            + switch (meter.group(1)) {
                                case "laneCounter", "counter", "count" -> "_total";
                                case "timer" -> "_seconds_bucket";
                                default -> "";
                            }));
        }
        return names;
    }
}
