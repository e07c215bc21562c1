package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.jobs.IndexJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of the chart, and of what Helm makes of it, without a cluster. */
class HelmChartTest {
    private static final String CHART = "deploy/helm/tailrace/";
    private static final Set<String> OF_OTHERS = Set.of("vllm");

    static List<String> ways() {
        return RenderedChart.WAYS;
    }

    private static Stream<Map<String, Object>> containers(Map<String, Map<String, Object>> pods) {
        return pods.values().stream().flatMap(pod -> RenderedChart.containers(pod).stream());
    }

    @Test
    void helmHasNothingAgainstIt() {
        assertThat(RenderedChart.lint().isFailed())
                .as(String.join("\n", RenderedChart.lint().getMessages()))
                .isFalse();
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
    void everyContainerIsBoundedHasNoRightsAndMountsWhatItsPodHas(String way) {
        Map<String, Map<String, Object>> pods = RenderedChart.pods(RenderedChart.objects(way));
        assertThat(pods).isNotEmpty();
        pods.forEach((name, pod) -> {
            Map<String, Object> spec = RepositoryFiles.map(pod.get("spec"));
            assertThat(RepositoryFiles.map(spec.get("securityContext")))
                    .as(name)
                    .containsEntry("runAsNonRoot", true);
            Set<Object> volumes = named(spec.get("volumes"));
            for (Map<String, Object> container : RenderedChart.containers(pod)) {
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
    void filesThatOptionsNameAreMountedAndCredentialsComeFromSecrets(String way) {
        containers(RenderedChart.pods(RenderedChart.objects(way))).forEach(container -> {
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
    void theOperatorStartsTheJobThatTheImageHolds() {
        Map<String, Object> spec = spec("FlinkDeployment", "tailrace-job");
        Map<String, Object> job = operatedJob();
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

    @Test
    void monitorsSelectPodsThatHaveAPortForMetrics() {
        List<Map<String, Object>> objects = RenderedChart.objects("plain", Map.of("monitoring.operator", "true"));
        Map<String, Map<String, Object>> pods = RenderedChart.pods(objects);
        List<Map<String, Object>> monitors = objects.stream()
                .filter(object -> "PodMonitor".equals(object.get("kind")))
                .toList();
        assertThat(monitors).hasSize(5);
        for (Map<String, Object> monitor : monitors) {
            Map<String, Object> selector =
                    RepositoryFiles.map(RepositoryFiles.map(monitor.get("spec")).get("selector"));
            Object endpoint = RepositoryFiles.map(
                            ((List<?>) RepositoryFiles.map(monitor.get("spec")).get("podMetricsEndpoints")).get(0))
                    .get("port");
            assertThat(pods.values().stream().filter(pod -> selects(selector, pod)))
                    .as(String.valueOf(monitor.get("metadata")))
                    .isNotEmpty()
                    .allMatch(pod -> RenderedChart.containers(pod).stream()
                            .flatMap(container -> ((List<?>) container.getOrDefault("ports", List.of())).stream())
                            .anyMatch(port ->
                                    endpoint.equals(RepositoryFiles.map(port).get("name"))));
        }
    }

    private static boolean selects(Map<String, Object> selector, Map<String, Object> pod) {
        Map<String, Object> labels =
                RepositoryFiles.map(RepositoryFiles.map(pod.get("metadata")).get("labels"));
        return labels.entrySet()
                        .containsAll(
                                RepositoryFiles.map(selector.get("matchLabels")).entrySet())
                && (!selector.containsKey("matchExpressions") || labels.containsKey("tailrace/client"));
    }

    /** Who may write which topic decides who may write which scope. */
    @Test
    void topicsOfAPartyAreReadByTheJobAndWrittenByItsWorkersAlone() {
        assertThat(RepositoryFiles.strings(container("Job/topics", "topics").get("args")))
                .contains("--bound-topics=acme", "--replication-factor=3");
        assertThat(RepositoryFiles.strings(operatedJob().get("args"))).contains("--bound-topics=acme=acme,acme-*");
        assertThat(RepositoryFiles.strings(container("Deployment/acme", "agent").get("args")))
                .contains("--bound-topics=acme");
        assertThat(RepositoryFiles.strings(
                        container("Deployment/worker", "worker").get("args")))
                .contains("--bound-topics=acme");
        assertThat(RepositoryFiles.strings(
                        container("Deployment/engine", "agent").get("args")))
                .noneMatch(argument -> argument.startsWith("--bound-topics"));
    }

    @Test
    void topicsThatNoJobReadsAreRefused() {
        for (String key : List.of("engines[0].boundTopics", "agent.boundTopics")) {
            assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of(key, "zenith")))
                    .hasMessageContaining("boundTopics zenith is not among `boundTopics`");
        }
    }

    @Test
    void eachRoleHasItsSecretForKafka() {
        Map<String, Map<String, Object>> pods = RenderedChart.pods(RenderedChart.objects("everything"));
        assertThat(kafkaSecret(pods.get("FlinkDeployment/tailrace-job"))).isEqualTo("kafka-job");
        assertThat(kafkaSecret(pods.get("Deployment/engine"))).isEqualTo("kafka-worker");
        assertThat(kafkaSecret(pods.get("Deployment/worker"))).isEqualTo("kafka-acme");
        assertThat(kafkaSecret(pods.get("DaemonSet/agent"))).isEqualTo("kafka-worker");
        assertThat(kafkaSecret(pods.get("Deployment/acme"))).isEqualTo("kafka-acme");
        assertThat(kafkaSecret(pods.get("Job/topics"))).isEqualTo("kafka-operator");
        assertThat(RenderedChart.pods(RenderedChart.objects("plain")).values())
                .extracting(HelmChartTest::kafkaSecret)
                .containsOnly("tailrace-kafka");
    }

    private static Object kafkaSecret(Map<String, Object> pod) {
        return ((List<?>) RepositoryFiles.map(pod.get("spec")).get("volumes"))
                .stream()
                        .map(RepositoryFiles::map)
                        .filter(volume -> "kafka".equals(volume.get("name")))
                        .map(volume -> RepositoryFiles.map(volume.get("secret")).get("secretName"))
                        .findFirst()
                        .orElseThrow();
    }

    /** Of an object, everything being turned on. */
    private static Map<String, Object> spec(String kind, String name) {
        return RepositoryFiles.map(RenderedChart.object(RenderedChart.objects("everything"), kind, name)
                .get("spec"));
    }

    private static Map<String, Object> operatedJob() {
        return RepositoryFiles.map(spec("FlinkDeployment", "tailrace-job").get("job"));
    }

    private static Map<String, Object> container(String pod, String name) {
        return RenderedChart.container(
                RenderedChart.pods(RenderedChart.objects("everything")).get(pod), name);
    }

    @Test
    void flinksOperatorReachesTheJobManagerFromItsNamespace() {
        assertThat(spec("NetworkPolicy", "flink-operator"))
                .hasToString(
                        "{podSelector={matchLabels={app.kubernetes.io/instance=tailrace, app.kubernetes.io/name=flink, "
                                + "app.kubernetes.io/part-of=tailrace, component=jobmanager}}, policyTypes=[Ingress], "
                                + "ingress=[{from=[{namespaceSelector={matchLabels={kubernetes.io/metadata.name=flink-operator}}}], "
                                + "ports=[{protocol=TCP, port=8081}]}]}");
        assertThat(RenderedChart.objects("plain"))
                .noneMatch(object -> "flink-operator"
                        .equals(RepositoryFiles.map(object.get("metadata")).get("name")));
    }

    /** Flink's process is as large as the setting says; a pod with less is killed. */
    @Test
    void aTaskManagersPodHoldsFlinksProcess() {
        for (Map.Entry<String, String> size :
                Map.of("3000m", "3256Mi", "4g", "4352Mi").entrySet()) {
            Map<String, Object> pod = RenderedChart.pods(
                            RenderedChart.objects("plain", Map.of("job.taskManagerMemory", size.getKey())))
                    .get("Deployment/taskmanager");
            Map<String, Object> resources = RepositoryFiles.map(
                    RenderedChart.container(pod, "taskmanager").get("resources"));
            assertThat(resources.get("limits")).isEqualTo(Map.of("memory", size.getValue()));
            assertThat(RepositoryFiles.map(resources.get("requests"))).containsEntry("memory", size.getValue());
        }
    }

    /** Models that ask for an account, and caches, which the user of the pod may not write elsewhere. */
    @Test
    void anEngineHasATokenAHomeAndWhatItIsGivenBesides() {
        Map<String, Object> vllm = container("Deployment/acme", "vllm");
        assertThat((List<?>) vllm.get("env"))
                .asString()
                .contains("{name=HOME, value=/home/engine}", "{name=HF_HOME, value=/cache}")
                .contains("{name=HF_TOKEN, valueFrom={secretKeyRef={key=token, name=hugging-face}}}")
                .doesNotContain("{name=HF_HOME, value=/models}");
        assertThat(vllm.get("envFrom")).hasToString("[{configMapRef={name=engine-settings}}]");
        assertThat((List<?>) vllm.get("volumeMounts"))
                .asString()
                .contains("{name=home, mountPath=/home/engine}", "{mountPath=/cache, name=cache}");
        assertThat(RenderedChart.container(
                                RenderedChart.pods(RenderedChart.objects("default"))
                                        .get("Deployment/engine"),
                                "vllm")
                        .get("env"))
                .asString()
                .contains(
                        "{name=HF_TOKEN, valueFrom={secretKeyRef={key=token, name=tailrace-hugging-face, optional=true}}}");
    }

    /** A user that no file of the image names has no name: PyTorch asks for one, and does not load without. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void anEnginesUserHasANameAndCachesInItsHome(String way) {
        Map<String, Object> pod = RenderedChart.pods(RenderedChart.objects(way)).get("Deployment/engine");
        assertThat(RepositoryFiles.map(pod.get("spec"))).containsEntry("enableServiceLinks", false);
        Map<String, Object> vllm = RenderedChart.container(pod, "vllm");
        Map<Object, Object> values = new LinkedHashMap<>();
        for (Object variable : (List<?>) vllm.get("env")) {
            values.put(
                    RepositoryFiles.map(variable).get("name"),
                    RepositoryFiles.map(variable).get("value"));
        }
        assertThat(values).containsEntry("USER", "engine").containsEntry("LOGNAME", "engine");
        assertThat((List<?>) vllm.get("volumeMounts"))
                .anyMatch(mount ->
                        values.get("HOME").equals(RepositoryFiles.map(mount).get("mountPath")));
        assertThat(values.get("TORCHINDUCTOR_CACHE_DIR")).asString().startsWith(values.get("HOME") + "/");
    }

    @Test
    void theRegionIsToldToWhoReadsAndWritesTheStore() {
        Map<String, Map<String, Object>> pods = RenderedChart.pods(
                RenderedChart.objects("plain", Map.of("store.region", "eu-west-1", "store.endpoint", "")));
        for (String name : List.of("jobmanager", "taskmanager")) {
            assertThat(RenderedChart.container(pods.get("Deployment/" + name), name)
                            .get("env"))
                    .asString()
                    .contains("{name=AWS_REGION, value=eu-west-1}")
                    .doesNotContain("STORE_ENDPOINT");
        }
        assertThat(RenderedChart.container(pods.get("Deployment/engine"), "agent")
                        .get("env"))
                .asString()
                .contains("{name=AWS_REGION, value=eu-west-1}");
    }

    /** What every container of ours is started with, by place. */
    static Map<String, Map<String, Object>> started() {
        Map<String, Map<String, Object>> started = new LinkedHashMap<>();
        for (String way : ways()) {
            List<Map<String, Object>> objects = RenderedChart.objects(way);
            RenderedChart.pods(objects)
                    .forEach((name, pod) -> RenderedChart.containers(pod).stream()
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
