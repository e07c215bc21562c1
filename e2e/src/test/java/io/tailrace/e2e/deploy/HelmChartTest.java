package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.jobs.IndexJob;
import io.tailrace.schemas.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of the chart without a cluster; of what Helm makes of it, where there is a Helm. */
class HelmChartTest {
    private static final String CHART = "deploy/helm/tailrace/";
    private static final Set<String> OF_OTHERS = Set.of("vllm");

    static List<String> ways() {
        return RenderedChart.WAYS;
    }

    private static List<Map<String, Object>> objects(String way) throws Exception {
        assumeTrue(RenderedChart.helm().isPresent(), RenderedChart.NO_HELM);
        return RenderedChart.objects(way);
    }

    private static Stream<Map<String, Object>> containers(Map<String, Map<String, Object>> pods) {
        return pods.values().stream().flatMap(pod -> KubernetesManifestsTest.containers(pod).stream());
    }

    @Test
    void itsImagesAreThoseThatComposeBuilds() {
        Map<String, Object> images =
                RepositoryFiles.map(RepositoryFiles.yaml(CHART + "values.yaml").get("images"));
        Set<Object> built =
                RepositoryFiles.map(RepositoryFiles.yaml("docker-compose.yml").get("services")).values().stream()
                        .map(service -> RepositoryFiles.map(service).get("image"))
                        .collect(Collectors.toSet());
        assertThat(built).contains(images.get("flink"), images.get("tailrace"));
    }

    @Test
    void whatItShipsIsWhatTheRepositoryHas() {
        assertThat(RepositoryFiles.text(CHART + "files/flink.yaml"))
                .isEqualTo(RepositoryFiles.text("deploy/flink/config.yaml"));
        assertThat(RepositoryFiles.text(CHART + "files/alerts.yml"))
                .isEqualTo(RepositoryFiles.text("deploy/prometheus/alerts.yml"));
        assertThat(RepositoryFiles.text(CHART + "files/dashboards/tailrace.json"))
                .isEqualTo(RepositoryFiles.text("deploy/grafana/dashboards/tailrace.json"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void everyContainerIsBoundedHasNoRightsAndMountsWhatItsPodHas(String way) throws Exception {
        Map<String, Map<String, Object>> pods = RenderedChart.pods(objects(way));
        assertThat(pods).isNotEmpty();
        pods.forEach((name, pod) -> {
            Map<String, Object> spec = RepositoryFiles.map(pod.get("spec"));
            assertThat(RepositoryFiles.map(spec.get("securityContext")))
                    .as(name)
                    .containsEntry("runAsNonRoot", true);
            Set<Object> volumes = named(spec.get("volumes"));
            for (Map<String, Object> container : KubernetesManifestsTest.containers(pod)) {
                assertThat(RepositoryFiles.map(container.get("securityContext")))
                        .as(name)
                        .containsEntry("allowPrivilegeEscalation", false);
                assertThat(volumes).as(name).containsAll(named(container.get("volumeMounts")));
                if (!name.startsWith("FlinkDeployment")) { // whose memory is Flink's resource
                    assertThat(RepositoryFiles.map(RepositoryFiles.map(container.get("resources"))
                                    .get("limits")))
                            .as(name)
                            .containsKey("memory");
                }
            }
        });
    }

    private static Set<Object> named(Object list) {
        return ((List<?>) list)
                .stream()
                        .map(element -> RepositoryFiles.map(element).get("name"))
                        .collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void filesThatOptionsNameAreMountedAndCredentialsComeFromSecrets(String way) throws Exception {
        containers(RenderedChart.pods(objects(way))).forEach(container -> {
            Set<String> folders = ((List<?>) container.get("volumeMounts"))
                    .stream()
                            .map(mount ->
                                    String.valueOf(RepositoryFiles.map(mount).get("mountPath")))
                            .collect(Collectors.toSet());
            RepositoryFiles.strings(container.get("args")).stream()
                    .filter(argument -> argument.contains("=/"))
                    .filter(argument -> !argument.startsWith("--store"))
                    .forEach(argument ->
                            assertThat(folders).as(argument).anyMatch(folder -> argument.contains("=" + folder + "/")));
            for (Object variable : (List<?>) container.getOrDefault("env", List.of())) {
                Map<String, Object> given = RepositoryFiles.map(variable);
                if (String.valueOf(given.get("name")).matches("AWS_(ACCESS|SECRET).*")) {
                    assertThat(given).containsKey("valueFrom").doesNotContainKey("value");
                }
            }
        });
    }

    /** The job's state is too dear for a start by a class or jar that is not there. */
    @Test
    void theOperatorStartsTheJobThatTheImageHolds() throws Exception {
        Map<String, Object> spec = RepositoryFiles.map(objects("everything").stream()
                .filter(object -> "FlinkDeployment".equals(object.get("kind")))
                .findFirst()
                .orElseThrow()
                .get("spec"));
        Map<String, Object> job = RepositoryFiles.map(spec.get("job"));
        assertThat(job).containsEntry("entryClass", IndexJob.class.getName()).containsEntry("upgradeMode", "savepoint");
        String jar = String.valueOf(job.get("jarURI")).substring("local://".length());
        assertThat(RepositoryFiles.text("deploy/docker/Dockerfile")).contains(" " + jar + "\n");
        Map<String, Object> settings = RepositoryFiles.map(spec.get("flinkConfiguration"));
        assertThat(settings.values()).allMatch(String.class::isInstance);
        assertThat(settings).containsEntry("restart-strategy.fixed-delay.attempts", String.valueOf(Integer.MAX_VALUE));
        assertThat(RepositoryFiles.strings(job.get("args")))
                .filteredOn(argument -> argument.startsWith("--model="))
                .hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void graceIsLongerThanDrainAndReports(String way) throws Exception {
        RenderedChart.pods(objects(way)).forEach((name, pod) -> {
            for (Map<String, Object> container : KubernetesManifestsTest.containers(pod)) {
                for (String argument : RepositoryFiles.strings(container.get("args"))) {
                    if (argument.startsWith("--drain-seconds=")) {
                        int drain = Integer.parseInt(argument.substring(argument.indexOf('=') + 1));
                        assertThat((int) RepositoryFiles.map(pod.get("spec")).get("terminationGracePeriodSeconds"))
                                .as(name)
                                .isGreaterThanOrEqualTo(drain + 60);
                    }
                }
            }
        });
    }

    @Test
    void monitorsSelectPodsThatHaveAPortForMetrics() throws Exception {
        List<Map<String, Object>> objects = objects("plain");
        Map<String, Map<String, Object>> pods = RenderedChart.pods(objects);
        List<Map<String, Object>> monitors = objects.stream()
                .filter(object -> "PodMonitor".equals(object.get("kind")))
                .toList();
        assertThat(monitors).hasSize(3);
        for (Map<String, Object> monitor : monitors) {
            Map<String, Object> selector =
                    RepositoryFiles.map(RepositoryFiles.map(monitor.get("spec")).get("selector"));
            assertThat(pods.values().stream().filter(pod -> selects(selector, pod)))
                    .as(String.valueOf(monitor.get("metadata")))
                    .isNotEmpty()
                    .allMatch(pod -> KubernetesManifestsTest.containers(pod).stream()
                            .flatMap(container -> ((List<?>) container.getOrDefault("ports", List.of())).stream())
                            .anyMatch(port ->
                                    "metrics".equals(RepositoryFiles.map(port).get("name"))));
        }
    }

    private static boolean selects(Map<String, Object> selector, Map<String, Object> pod) {
        Map<String, Object> labels =
                RepositoryFiles.map(RepositoryFiles.map(pod.get("metadata")).get("labels"));
        return selector.containsKey("matchLabels")
                ? labels.entrySet()
                        .containsAll(
                                RepositoryFiles.map(selector.get("matchLabels")).entrySet())
                : labels.containsKey("tailrace/client");
    }

    @Test
    void usersOfKafkaMayTouchTopicsThatThereAre() throws Exception {
        Set<String> topics =
                Stream.of(Topic.values()).map(topic -> topic.name("eu-")).collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        for (Map<String, Object> object : objects("everything")) {
            if ("KafkaUser".equals(object.get("kind"))) {
                Map<String, Object> authorization = RepositoryFiles.map(
                        RepositoryFiles.map(object.get("spec")).get("authorization"));
                for (Object acl : (List<?>) authorization.get("acls")) {
                    Map<String, Object> resource =
                            RepositoryFiles.map(RepositoryFiles.map(acl).get("resource"));
                    if ("topic".equals(resource.get("type"))) {
                        named.add(String.valueOf(resource.get("name")));
                    }
                }
            }
        }
        assertThat(named).isEqualTo(new TreeSet<>(topics));
    }

    /** What every container of ours is started with, by place. */
    static Map<String, Map<String, Object>> started() throws Exception {
        Map<String, Map<String, Object>> started = new LinkedHashMap<>();
        for (String way : RenderedChart.helm().isPresent() ? ways() : List.<String>of()) {
            List<Map<String, Object>> objects = RenderedChart.objects(way);
            RenderedChart.pods(objects)
                    .forEach((name, pod) -> KubernetesManifestsTest.containers(pod).stream()
                            .filter(container -> !OF_OTHERS.contains(container.get("name")))
                            .forEach(container ->
                                    started.put("chart " + way + " " + name + " " + container.get("name"), container)));
            objects.stream()
                    .filter(object -> "FlinkDeployment".equals(object.get("kind")))
                    .map(object -> RepositoryFiles.map(
                            RepositoryFiles.map(object.get("spec")).get("job")))
                    .forEach(job -> started.put(
                            "chart " + way + " FlinkDeployment",
                            Map.of("command", List.of("/opt/tailrace/jobmanager.sh"), "args", job.get("args"))));
        }
        return started;
    }
}
