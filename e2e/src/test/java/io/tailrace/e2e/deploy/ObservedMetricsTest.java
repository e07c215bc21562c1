package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The dashboards, the alerts and the scrape configuration ask for metrics that somebody measures. */
class ObservedMetricsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");
    private static final String DASHBOARDS = "deploy/grafana/dashboards";

    static List<String> dashboards() {
        return RepositoryFiles.below(DASHBOARDS, ".json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dashboards")
    void dashboardsAskForMetricsAndLabelsThatExist(String dashboard) {
        JsonNode all = RepositoryFiles.json(dashboard);
        List<String> faults = new ArrayList<>();
        for (JsonNode asking : all.findParents("expr")) {
            MetricQuery query = new MetricQuery(asking.get("expr").asText());
            faults.addAll(query.faults());
            faults.addAll(query.faultsOf(asking.path("legendFormat").asText()));
            faults.addAll(query.faultsOf(asking.path("textFormat").asText()));
        }
        for (JsonNode variable : all.at("/templating/list")) {
            if (variable.get("type").asText().equals("query")) {
                faults.addAll(ofVariable(variable.at("/query/query").asText()));
            }
        }
        assertThat(faults).isEmpty();
    }

    /** label_values(QUERY, LABEL) */
    private static List<String> ofVariable(String values) {
        int comma = values.lastIndexOf(',');
        MetricQuery query = new MetricQuery(values.substring(values.indexOf('(') + 1, comma));
        List<String> faults = new ArrayList<>(query.faults());
        faults.addAll(query.faultsOf(
                "{{" + values.substring(comma + 1, values.length() - 1).strip() + "}}"));
        return faults;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dashboards")
    void dashboardsTravelToAnyDataSource(String dashboard) {
        JsonNode all = RepositoryFiles.json(dashboard);
        List<String> variables = all.at("/templating/list").findValuesAsText("name");
        assertThat(variables).startsWith("datasource", "installation", "model", "lane");
        assertThat(all.findValues("datasource"))
                .isNotEmpty()
                .allMatch(source -> source.path("uid").asText().equals("${datasource}"));
        VARIABLE.matcher(RepositoryFiles.text(dashboard))
                .results()
                .map(variable -> variable.group(1))
                .filter(variable -> !variable.startsWith("__"))
                .forEach(variable -> assertThat(variables).contains(variable));
        for (JsonNode asking : all.findParents("expr")) {
            assertThat(asking.get("expr").asText()).contains("installation=~\"$installation\"");
        }
    }

    /** Grafana refuses no dashboard; it shows nothing where a field has another name. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("dashboards")
    void everyPanelSaysWhatItShowsAndHasItsPlace(String dashboard) {
        Set<List<Integer>> places = new HashSet<>();
        for (JsonNode panel : RepositoryFiles.json(dashboard).get("panels")) {
            String title = panel.path("title").asText();
            JsonNode at = panel.get("gridPos");
            assertThat(at.get("x").asInt() + at.get("w").asInt()).as(title).isLessThanOrEqualTo(24);
            assertThat(places.add(List.of(at.get("x").asInt(), at.get("y").asInt())))
                    .as(title)
                    .isTrue();
            if (!panel.get("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).as(title).endsWith(".");
                assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                        .as(title)
                        .isNotEmpty();
                List<String> letters = panel.get("targets").findValuesAsText("refId");
                assertThat(letters).as(title).isNotEmpty().doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void aQueryOfWhatNobodyExposesHasFaults() {
        assertThat(faults("sum by (lane) (rate(tailrace_steps_total{lane=~\"a\"}[5m]))"))
                .isEmpty();
        assertThat(faults("tailrace_stepps_total")).hasSize(1);
        assertThat(faults("flink_taskmanager_job_task_operator_lane_admitted")).hasSize(1);
        assertThat(faults("tailrace_steps_total{scope=\"a\"}")).hasSize(1);
        assertThat(faults("sum by (shard) (rate(tailrace_steps_total[5m]))")).hasSize(1);
        assertThat(faults("tailrace_spool_bytes unless on (lane) tailrace_snapshot_held"))
                .hasSize(1);
        assertThat(new MetricQuery("sum by (lane) (tailrace_snapshot_held)").faultsOf("{{worker}}"))
                .hasSize(1);
    }

    private static List<String> faults(String query) {
        return new MetricQuery(query).faults();
    }

    @Test
    void alertsAskForMetricsAndLabelsThatExist() {
        for (Map<String, Object> rule : rules()) {
            assertThat(rule).containsKeys("alert", "labels", "annotations");
            assertThat(faults(String.valueOf(rule.get("expr")).replaceAll("\\s+", " ")))
                    .as(String.valueOf(rule.get("alert")))
                    .isEmpty();
        }
    }

    @Test
    void panelsHaveIdsOfTheirOwn() {
        for (String dashboard : dashboards()) {
            List<Integer> ids = new ArrayList<>();
            RepositoryFiles.json(dashboard)
                    .get("panels")
                    .forEach(panel -> ids.add(panel.get("id").asInt()));
            assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
        }
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

    static List<Map<String, Object>> rules() {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Object group :
                (List<?>) RepositoryFiles.yaml("deploy/prometheus/alerts.yml").get("groups")) {
            for (Object rule : (List<?>) RepositoryFiles.map(group).get("rules")) {
                rules.add(RepositoryFiles.map(rule));
            }
        }
        return rules;
    }
}
