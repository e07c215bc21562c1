package io.tailrace.e2e.deploy;

import static io.tailrace.e2e.deploy.RenderedChart.labels;
import static io.tailrace.e2e.deploy.RenderedChart.names;
import static io.tailrace.e2e.deploy.RenderedChart.pod;
import static io.tailrace.e2e.deploy.RenderedChart.spec;
import static io.tailrace.e2e.deploy.RepositoryFiles.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.jobs.IndexJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the chart's pods are scaled, placed, started, probed and ended, by value. */
class HelmChartPodsTest {
    private static final int PRE_STOP_SECONDS = 10;
    private static final String PROBES = """
            worker/worker: {startupProbe: {httpGet: {path: /health/live, port: metrics}, periodSeconds: 5, failureThreshold: 120},
              livenessProbe: {httpGet: {path: /health/live, port: metrics}, periodSeconds: 10},
              readinessProbe: {httpGet: {path: /health/ready, port: metrics}, periodSeconds: 5}}
            engine/agent: {livenessProbe: {httpGet: {path: /health/live, port: metrics}, initialDelaySeconds: 20, periodSeconds: 10}}
            engine/vllm: {startupProbe: {httpGet: {path: /health, port: http}, periodSeconds: 10, failureThreshold: 360},
              livenessProbe: {httpGet: {path: /health, port: http}, periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6},
              readinessProbe: {httpGet: {path: /health, port: http}, periodSeconds: 5}}
            audit/audit: {livenessProbe: {httpGet: {path: /health/live, port: metrics}, initialDelaySeconds: 20, periodSeconds: 10}}
            agent/agent: {livenessProbe: {httpGet: {path: /health/live, port: metrics}, initialDelaySeconds: 20, periodSeconds: 10},
              readinessProbe: {httpGet: {path: /health/ready, port: metrics}, periodSeconds: 5}}
            jobmanager/jobmanager: {startupProbe: {tcpSocket: {port: rpc}, periodSeconds: 10, failureThreshold: 60},
              livenessProbe: {tcpSocket: {port: rpc}, periodSeconds: 10},
              readinessProbe: {httpGet: {path: /overview, port: rest}, periodSeconds: 5}}
            taskmanager/taskmanager: {startupProbe: {tcpSocket: {port: rpc}, periodSeconds: 10, failureThreshold: 60},
              livenessProbe: {tcpSocket: {port: rpc}, periodSeconds: 10}}
            """;

    /**
     * A Deployment that says no number any more is set to one pod by the upgrade that turns its autoscaler on; one with a number of its own would
     * be set back to it at each upgrade. Here no cluster says how many there are.
     */
    @Test
    void whatIsScaledGoesByTheMetricsThatItIsGivenAndStaysAsManyAsItIs() {
        assertThat(spec("everything", "HorizontalPodAutoscaler", "engine")).isEqualTo(document("""
                        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: engine}
                        minReplicas: 2
                        maxReplicas: 8
                        metrics:
                          - type: Pods
                            pods: {metric: {name: vllm_num_requests_waiting}, target: {type: AverageValue, averageValue: "4"}}
                        """));
        assertThat(spec("everything", "HorizontalPodAutoscaler", "worker"))
                .containsEntry("minReplicas", 2)
                .containsEntry("maxReplicas", 4);
        for (String name : List.of("engine", "worker")) {
            assertThat(spec("everything", "Deployment", name)).containsEntry("replicas", 2);
        }
        assertThat(RepositoryFiles.text("deploy/helm/tailrace/templates/_helpers.tpl"))
                .contains("if and .autoscale.max .root.Release.IsUpgrade")
                .contains("lookup \"apps/v1\" \"Deployment\" .root.Release.Namespace .name");
        assertThatThrownBy(() -> RenderedChart.objects(
                        "default",
                        Map.of(
                                "worker.enabled",
                                "true",
                                "worker.model",
                                "m",
                                "models[0].name",
                                "m",
                                "models[0].revision",
                                "main",
                                "models[0].vocabulary",
                                "9",
                                "models[0].tokenizer",
                                "sha256:0",
                                "engines",
                                "null",
                                "worker.autoscale.max",
                                "4")))
                .hasMessageContaining("autoscale of worker needs `metrics`");
        assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of("worker.replicas", "6")))
                .hasMessageContaining("worker has 6 replicas at least, and autoscale.max is 4");
    }

    /** Where every GPU is taken no pod beside the old ones finds a place, and callers are sent elsewhere before one ends. */
    @Test
    void anUpgradeTakesAPodAwayBeforeItStartsAnother() {
        assertThat(spec("default", "Deployment", "engine").get("strategy"))
                .isEqualTo(document("{rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}"));
        for (String name : List.of("engine", "worker")) {
            Map<String, Object> pod =
                    RenderedChart.pods(RenderedChart.objects("everything")).get("Deployment/" + name);
            assertThat(RenderedChart.container(pod, name.equals("engine") ? "vllm" : name)
                            .get("lifecycle"))
                    .isEqualTo(document("{preStop: {sleep: {seconds: %d}}}".formatted(PRE_STOP_SECONDS)));
        }
    }

    @Test
    void podsGoWhereTheValuesSendThem() {
        assertThat(pod("everything", "FlinkDeployment/tailrace-job")).containsEntry("priorityClassName", "high");
        assertThat(pod("everything", "Deployment/engine"))
                .containsKey("tolerations")
                .containsEntry("nodeSelector", Map.of("gpu", "h100"));
        assertThat(pod("everything", "DaemonSet/agent")).containsEntry("nodeSelector", Map.of("gpu", "h100"));
    }

    /** What is misspelt would be left out in silence. */
    @ParameterizedTest
    @CsvSource({
        "everything, kafka.boostrap, kafka:9092",
        "everything, job.mode, plan",
        "everything, engines[0].replica, 1",
        "everything, engine.gpus, 2",
        "everything, engines[0].args[0], 7",
    })
    void valuesThatTheChartDoesNotKnowAreRefused(String way, String key, String value) {
        assertThatThrownBy(() -> RenderedChart.objects(way, Map.of(key, value))).hasMessageContaining("schema");
    }

    /** Helm writes a large number as 2.0240101e+07, which no lane is called. */
    @ParameterizedTest
    @ValueSource(strings = {"20240101", "2"})
    void aRevisionThatIsANumberIsRefusedAndTextOfDigitsIsNot(String revision) {
        assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of("models[1].revision", revision)))
                .hasMessageContaining("revision")
                .hasMessageMatching("(?s).*(want|Expected:) string.*");
        assertThat(models(RepositoryFiles.map(
                        spec("everything", "FlinkDeployment", "tailrace-job").get("job"))))
                .anyMatch(model -> model.startsWith("--model=small@2,"));
    }

    @Test
    void noEngineHasTheNameOfAnotherPart() {
        assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of("engines[1].name", "worker")))
                .hasMessageContaining("no engine can be called worker");
    }

    /** Both managers' processors are also their limits there, and Java counts them. */
    @Test
    void aJobIsRestoredTunedAndSizedByValues() {
        Map<String, Object> spec = spec("everything", "FlinkDeployment", "tailrace-job");
        assertThat(RepositoryFiles.map(spec.get("job")))
                .containsEntry("initialSavepointPath", "s3://tailrace-state/savepoints/savepoint-1")
                .containsKey("savepointRedeployNonce");
        assertThat(RepositoryFiles.map(spec.get("flinkConfiguration")))
                .containsEntry("heartbeat.timeout", "10 s")
                .containsEntry("taskmanager.network.memory.fraction", "0.2");
        assertThat(spec.get("taskManager")).isEqualTo(document("{resource: {cpu: 2, memory: 2560m}}"));
        assertThat(RepositoryFiles.map(
                        spec("default", "FlinkDeployment", "tailrace-job").get("job")))
                .doesNotContainKeys("initialSavepointPath", "savepointRedeployNonce");
        Map<String, Object> manager = RenderedChart.pods(
                        RenderedChart.objects("plain", Map.of("job.restoreFrom", "s3://state/savepoint-2")))
                .get("Deployment/jobmanager");
        assertThat(RenderedChart.container(manager, "jobmanager").get("env"))
                .asString()
                .contains("{name=TAILRACE_FROM, value=s3://state/savepoint-2}");
    }

    /** A job that has more tasks than parts of its state never starts. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "plain"})
    void aJobHasNoMoreTasksThanPartsOfItsState(String way) {
        String slots = String.valueOf(IndexJob.MAX_PARALLELISM / 4);
        assertThat(RenderedChart.objects(way, Map.of("job.slots", slots, "job.taskManagers", "4")))
                .isNotEmpty();
        assertThatThrownBy(() -> RenderedChart.objects(way, Map.of("job.slots", slots, "job.taskManagers", "5")))
                .hasMessageContaining("a job has %d tasks at most".formatted(IndexJob.MAX_PARALLELISM));
    }

    /** A Job cannot be changed, and one that has ended stays. */
    @Test
    void topicsAreMadeByAnotherJobOnlyWhereItIsAnotherOne() {
        String job = names("default", "Job").get(0);
        assertThat(jobs(Map.of("job.slots", "4"))).containsExactly(job);
        assertThat(jobs(Map.of("kafka.topicPrefix", "eu-"))).hasSize(1).doesNotContain(job);
        assertThat(jobs(Map.of("kafka.createTopics", "false"))).isEmpty();
    }

    private static List<String> jobs(Map<String, String> values) {
        return RenderedChart.objects("default", values).stream()
                .filter(object -> "Job".equals(object.get("kind")))
                .map(object -> String.valueOf(
                        RepositoryFiles.map(object.get("metadata")).get("name")))
                .toList();
    }

    @Test
    void whatIsNotScaledSaysItsNumber() {
        assertThat(names("everything", "HorizontalPodAutoscaler")).containsExactlyInAnyOrder("engine", "worker");
        assertThat(spec("everything", "Deployment", "acme")).containsEntry("replicas", 1);
        assertThat(names("default", "HorizontalPodAutoscaler")).isEmpty();
        assertThat(spec("default", "Deployment", "engine")).containsEntry("replicas", 2);
    }

    @Test
    void whatAnEngineLeavesOutIsAsInTheValuesFile() {
        List<Map<String, Object>> asTheyAre = RenderedChart.objects("default");
        List<Map<String, Object>> few = RenderedChart.objects(
                "default", Map.of("engines[0].name", "engine", "engines[0].model", "meta-llama/Llama-3.1-8B-Instruct"));
        assertThat(few).hasSameSizeAs(asTheyAre);
        assertThat(RenderedChart.object(few, "Deployment", "engine").get("spec"))
                .asString()
                .contains("replicas=2", "--scope=default", "nvidia.com/gpu=1", "memory=32Gi")
                .doesNotContain("HF_TOKEN", "null");
        assertThatThrownBy(() -> RenderedChart.objects("default", Map.of("engines[0].name", "engine")))
                .hasMessageContaining("model");
    }

    @Test
    void vllmGetsItsEnginesArgumentsAfterThoseOfTheChart() {
        assertThat(vllmArguments("everything", "acme", Map.of()))
                .containsExactly(
                        "small",
                        "--revision=2",
                        "--scheduler-cls=tailrace.vllm.TailraceScheduler",
                        "--shutdown-timeout=60",
                        "--tensor-parallel-size=2",
                        "--max-model-len=8192",
                        "--middleware",
                        "tailrace.scope.ScopeFromHeader");
        assertThat(vllmArguments("default", "engine", Map.of())).hasSize(4);
    }

    /** A name of vLLM's is the same with underscores. */
    @ParameterizedTest
    @ValueSource(strings = {"--revision=2", "--scheduler_cls=mine", "--model", "--port=80", "--shutdown-timeout=5"})
    void whatTheChartGivesIsNotGivenTwice(String argument) {
        assertThatThrownBy(() -> vllmArguments("default", "engine", Map.of("engines[0].args[0]", argument)))
                .hasMessageContaining("which the chart gives");
    }

    @Test
    void theModelIsNoArgument() {
        assertThatThrownBy(() -> vllmArguments("default", "engine", Map.of("engines[0].args[0]", "other")))
                .hasMessageContaining("args of engine engine begin with other, which is no option");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tensor-parallel-size=2", "--tensor_parallel_size=2", "-tp=2", "--data-parallel-size=4"})
    void howTheModelIsDividedIsTheArgumentsToSay(String argument) {
        assertThat(vllmArguments("default", "engine", Map.of("engines[0].gpus", "4", "engines[0].args[0]", argument)))
                .endsWith("--shutdown-timeout=60", argument);
    }

    private static List<String> vllmArguments(String way, String engine, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        if (way.equals("default")) { // a list is given as a whole
            all.put("engines[0].name", engine);
            all.put("engines[0].model", "meta-llama/Llama-3.1-8B-Instruct");
        }
        Map<String, Object> pod =
                RenderedChart.pods(RenderedChart.objects(way, all)).get("Deployment/" + engine);
        return RenderedChart.containers(pod).stream()
                .filter(container -> "vllm".equals(container.get("name")))
                .map(container -> RepositoryFiles.strings(container.get("args")))
                .findFirst()
                .orElseThrow();
    }

    /** What runs on the node besides must not lose its folder. */
    @Test
    void anAgentOfANodeTakesNoFolderThatIsNotItsOwn() {
        for (String folder : List.of("/", "/run", "/tailrace", "/var/lib", "run/tailrace", "/run/tailrace/..")) {
            for (String value : List.of("agent.socketFolder", "agent.workFolder")) {
                assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of(value, folder)))
                        .as(folder)
                        .hasMessageContaining("must be a folder of its own");
            }
        }
        assertThat(RenderedChart.objects("everything", Map.of("agent.socketFolder", "/run/my-tailrace/")))
                .isNotEmpty();
    }

    @Test
    void atMostOneOfWhatServesIsTakenAwayAtATime() {
        assertThat(names("everything", "PodDisruptionBudget")).containsExactlyInAnyOrder("engine", "acme", "worker");
        for (String name : names("everything", "PodDisruptionBudget")) {
            assertThat(spec("everything", "PodDisruptionBudget", name))
                    .isEqualTo(document(
                            "{maxUnavailable: 1, selector: {matchLabels: {app.kubernetes.io/name: %s, app.kubernetes.io/instance: tailrace}}}"
                                    .formatted(name)));
            assertThat(labels("everything", "Deployment/" + name)).containsEntry("app.kubernetes.io/name", name);
        }
    }

    @Test
    void whatRunsOnIsProbed() {
        document(PROBES).forEach((place, probes) -> {
            String name = place.substring(0, place.indexOf('/'));
            String way = name.endsWith("manager") ? "plain" : "everything";
            String kind = name.equals("agent") ? "DaemonSet/" : "Deployment/";
            Map<String, Object> container =
                    RenderedChart.containers(RenderedChart.pods(RenderedChart.objects(way))
                                    .get(kind + name))
                            .stream()
                            .filter(each -> place.endsWith("/" + each.get("name")))
                            .findFirst()
                            .orElseThrow();
            assertThat(probesOf(container)).as(place).isEqualTo(probes);
        });
    }

    private static Map<String, Object> probesOf(Map<String, Object> container) {
        return container.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("Probe"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Running answers are finished, then reports are sent; an agent ends after its engine. Of the grace, callers are sent elsewhere for ten
     * seconds, a worker takes a minute at most to close once it has drained, and an agent sends for ten.
     */
    @Test
    void graceIsLongerThanDrainAndReports() {
        for (int drain : List.of(30, 240)) {
            List<Map<String, Object>> objects = RenderedChart.objects(
                    "everything",
                    Map.of(
                            "worker.drainSeconds",
                            String.valueOf(drain),
                            "engines[1].name",
                            "acme",
                            "engines[1].model",
                            "small",
                            "engines[1].drainSeconds",
                            String.valueOf(drain)));
            Map<String, Object> worker = RenderedChart.pods(objects).get("Deployment/worker");
            assertThat(arguments(worker, "worker")).contains("--drain-seconds=" + drain);
            assertThat(grace(worker)).isGreaterThan(PRE_STOP_SECONDS + drain + 60);
            Map<String, Object> engine = RenderedChart.pods(objects).get("Deployment/acme");
            assertThat(arguments(engine, "vllm")).contains("--shutdown-timeout=" + drain);
            assertThat(grace(engine)).isGreaterThanOrEqualTo(PRE_STOP_SECONDS + drain + 20 + 10);
        }
        Map<String, Object> engine =
                RenderedChart.pods(RenderedChart.objects("default")).get("Deployment/engine");
        assertThat(arguments(engine, "vllm")).contains("--shutdown-timeout=60");
        assertThat(grace(engine)).isEqualTo(60 + 40);
        assertThat(pod("everything", "DaemonSet/agent")).containsEntry("terminationGracePeriodSeconds", 90);
    }

    private static int grace(Map<String, Object> pod) {
        return (Integer) RepositoryFiles.map(pod.get("spec")).get("terminationGracePeriodSeconds");
    }

    private static List<String> arguments(Map<String, Object> pod, String container) {
        return RepositoryFiles.strings(RenderedChart.container(pod, container).get("args"));
    }

    /** Reports that Kafka does not have yet wait there; an upgrade of the agents starts others on the same nodes. */
    @Test
    void anAgentOfANodeKeepsItsSpoolOnTheNode() {
        assertThat(RepositoryFiles.strings(RenderedChart.container(
                                RenderedChart.pods(RenderedChart.objects("everything"))
                                        .get("DaemonSet/agent"),
                                "agent")
                        .get("args")))
                .contains("--spool=/work/spool");
        assertThat((List<?>) pod("everything", "DaemonSet/agent").get("volumes"))
                .asString()
                .contains("{name=work, hostPath={path=/var/lib/tailrace, type=DirectoryOrCreate}}");
    }

    /** Behind those that the chart gives. */
    @Test
    void clientsHaveTheOptionsAndTheMemoryThatTheValuesGive() {
        assertThat(client("Deployment/acme", "agent"))
                .containsExactly("--fresh-from=own", "--prompt-tail=acme=0", "4Gi");
        assertThat(client("DaemonSet/agent", "agent")).containsExactly("--engine-class=h100", "8Gi");
        assertThat(client("Deployment/worker", "worker")).containsExactly("--event-millis=20", "96Gi");
        assertThat(client("Deployment/engine", "agent")).containsExactly("2Gi");
        assertThat(client("Deployment/audit", "audit")).contains("4Gi");
    }

    /** Options behind the folder of the address, and memory. */
    private static List<String> client(String pod, String name) {
        Map<String, Object> container = RenderedChart.container(
                RenderedChart.pods(RenderedChart.objects("everything")).get(pod), name);
        List<String> arguments = RepositoryFiles.strings(container.get("args"));
        List<String> found = new ArrayList<>();
        for (String each : arguments.subList(arguments.indexOf("--host=0.0.0.0") + 1, arguments.size())) {
            if (each.startsWith("--scope=") || each.startsWith("--port=")) {
                break;
            }
            found.add(each);
        }
        Map<String, Object> resources = RepositoryFiles.map(container.get("resources"));
        Object limit = RepositoryFiles.map(resources.get("limits")).get("memory");
        assertThat(RepositoryFiles.map(resources.get("requests"))).containsEntry("memory", limit);
        found.add(String.valueOf(limit));
        return found;
    }

    /** A pod whose folder outgrows its limit is evicted, vLLM with its agent, and the next one grows the same. */
    @Test
    void whatClientsKeepOnDiskHasTheRoomThatTheValuesGive() {
        for (String name : List.of("engine", "acme", "worker")) {
            assertThat(workOf(name, Map.of())).containsExactly("10Gi", "2Gi");
            assertThat(workOf(name, Map.of("clientWork.sizeLimit", "80Gi", "clientWork.ephemeralStorage", "40Gi")))
                    .containsExactly("80Gi", "40Gi");
        }
        assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of("clientWork.sizeLimit", "80")))
                .hasMessageContaining("schema");
    }

    /** The limit of its folder, and what it asks of its node's disk. */
    private static List<Object> workOf(String name, Map<String, String> values) {
        Map<String, Object> pod =
                RenderedChart.pods(RenderedChart.objects("everything", values)).get("Deployment/" + name);
        Map<String, Object> client = RenderedChart.container(pod, name.equals("worker") ? name : "agent");
        Object limit = ((List<?>) RepositoryFiles.map(pod.get("spec")).get("volumes"))
                .stream()
                        .map(RepositoryFiles::map)
                        .filter(volume -> "work".equals(volume.get("name")))
                        .map(volume ->
                                RepositoryFiles.map(volume.get("emptyDir")).get("sizeLimit"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Object> resources = RepositoryFiles.map(client.get("resources"));
        return List.of(
                limit,
                String.valueOf(RepositoryFiles.map(resources.get("requests")).get("ephemeral-storage")));
    }

    @Test
    void oneJobHasAllModels() {
        List<String> both = List.of(
                "--model=meta-llama/Llama-3.1-8B-Instruct@main,vocabulary=128256,tokenizer=llama-3.1",
                "--model=small@2,vocabulary=32000,tokenizer=sha256:0123456789abcdef0123456789abcdef");
        assertThat(names("everything", "FlinkDeployment")).containsExactly("tailrace-job");
        assertThat(models(RepositoryFiles.map(
                        spec("everything", "FlinkDeployment", "tailrace-job").get("job"))))
                .isEqualTo(both);
        Map<String, Object> manager = RenderedChart.pods(RenderedChart.objects(
                        "plain",
                        Map.of(
                                "models[0].name", "meta-llama/Llama-3.1-8B-Instruct",
                                "models[0].revision", "main",
                                "models[0].vocabulary", "128256",
                                "models[0].tokenizer", "llama-3.1",
                                "models[1].name", "small",
                                "models[1].revision", "v2",
                                "models[1].vocabulary", "32000",
                                "models[1].tokenizer", "sha256:0123456789abcdef0123456789abcdef")))
                .get("Deployment/jobmanager");
        assertThat(models(RenderedChart.containers(manager).get(1)))
                .containsExactly(both.get(0), both.get(1).replace("@2,", "@v2,"));
        assertThatThrownBy(() -> RenderedChart.objects("everything", Map.of("worker.model", "unknown")))
                .hasMessageContaining("model unknown is not among `models`");
        assertThatThrownBy(() ->
                        RenderedChart.objects("everything", Map.of("worker.model", "meta-llama/Llama-3.1-8B-Instruct")))
                .hasMessageContaining("by its fingerprint");
    }

    private static List<String> models(Map<String, Object> started) {
        return RepositoryFiles.strings(started.get("args")).stream()
                .filter(argument -> argument.startsWith("--model="))
                .toList();
    }

    @Test
    void withoutPrometheusOperatorNothingOfItIsThereButWhatIsScrapedIs() {
        assertThat(RenderedChart.objects("plain"))
                .extracting(object -> object.get("apiVersion"))
                .doesNotContain("monitoring.coreos.com/v1");
        assertThat(names("plain", "ConfigMap")).contains("tailrace-dashboards");
        assertThat(names("plain", "Deployment")).contains("audit");
        assertThat(spec("plain", "NetworkPolicy", "callers").get("ingress")).isEqualTo(List.of(document("""
                        from: [{namespaceSelector: {matchExpressions:
                          [{key: kubernetes.io/metadata.name, operator: In, values: [monitoring]}]}}]
                        ports: [{protocol: TCP, port: 8000}]
                        """)));
    }

    @Test
    void withoutFlinksOperatorNothingOfItIsThere() {
        assertThat(RenderedChart.objects("plain"))
                .extracting(object -> object.get("apiVersion"))
                .doesNotContain("flink.apache.org/v1beta1");
        assertThat(names("plain", "Deployment"))
                .containsExactlyInAnyOrder("engine", "audit", "jobmanager", "taskmanager");
        assertThat(RenderedChart.object(RenderedChart.objects("plain"), "Role", "tailrace-job")
                        .get("rules"))
                .isEqualTo(
                        List.of(
                                document(
                                        "{apiGroups: [''], resources: [configmaps], verbs: [get, list, watch, create, update, patch, delete]}")));
        assertThat(spec("plain", "Deployment", "jobmanager"))
                .containsEntry("replicas", 1)
                .containsEntry("strategy", Map.of("type", "Recreate"));
        assertThat(spec("plain", "Deployment", "taskmanager")).containsEntry("replicas", 2);
        assertThat(spec("plain", "Service", "jobmanager")).isEqualTo(document("""
                        selector: {app.kubernetes.io/name: flink, component: jobmanager, app.kubernetes.io/instance: tailrace}
                        ports: [{name: rpc, port: 6123}, {name: blob, port: 6124}, {name: rest, port: 8081}]
                        """));
        Map<String, Object> settings = document(String.valueOf(
                RepositoryFiles.map(RenderedChart.object(RenderedChart.objects("plain"), "ConfigMap", "tailrace-flink")
                                .get("data"))
                        .get("config.yaml")));
        assertThat(settings)
                .containsEntry("high-availability.type", "kubernetes")
                .containsEntry("high-availability.storageDir", "s3://tailrace-state/high-availability")
                .containsEntry("execution.checkpointing.dir", "s3://tailrace-state/checkpoints")
                .containsEntry("jobmanager.rpc.address", "jobmanager")
                .containsEntry("kubernetes.cluster-id", "tailrace-job")
                .containsEntry("kubernetes.namespace", "tailrace")
                .containsEntry("parallelism.default", "4");
    }
}
