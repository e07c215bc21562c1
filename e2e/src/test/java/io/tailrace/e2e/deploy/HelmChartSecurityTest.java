package io.tailrace.e2e.deploy;

import static io.tailrace.e2e.deploy.RenderedChart.labels;
import static io.tailrace.e2e.deploy.RenderedChart.names;
import static io.tailrace.e2e.deploy.RenderedChart.pod;
import static io.tailrace.e2e.deploy.RenderedChart.spec;
import static io.tailrace.e2e.deploy.RepositoryFiles.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who reaches the chart's pods, and which identity, keys and secrets each has. */
class HelmChartSecurityTest {
    static List<String> ways() {
        return RenderedChart.WAYS;
    }

    @Test
    void nobodyOutsideComesInButWhoScrapes() {
        for (String way : ways()) {
            assertThat(spec(way, "NetworkPolicy", "inside-only")).isEqualTo(document("""
                            podSelector:
                              matchLabels: &ours {app.kubernetes.io/part-of: tailrace, app.kubernetes.io/instance: tailrace}
                              matchExpressions: [{key: app.kubernetes.io/name, operator: NotIn, values: [flink]}]
                            policyTypes: [Ingress]
                            ingress:
                              - from: [{podSelector: {matchLabels: *ours}}]
                              - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
                                ports: [{protocol: TCP, port: 9464}, {protocol: TCP, port: 9465}]
                            """));
            RenderedChart.pods(RenderedChart.objects(way))
                    .keySet()
                    .forEach(pod -> assertThat(labels(way, pod))
                            .as(pod)
                            .containsEntry("app.kubernetes.io/part-of", "tailrace")
                            .containsEntry("app.kubernetes.io/instance", "tailrace"));
        }
    }

    /** Who reaches Flink's ports runs code beside the job's keys: not those pods that answer the world. */
    @Test
    void onlyItsOwnPodsReachFlink() {
        for (String way : ways()) {
            assertThat(spec(way, "NetworkPolicy", "flink-only")).isEqualTo(document("""
                            podSelector: &flink
                              matchLabels: {app.kubernetes.io/part-of: tailrace, app.kubernetes.io/instance: tailrace,
                                app.kubernetes.io/name: flink}
                            policyTypes: [Ingress]
                            ingress:
                              - from: [{podSelector: *flink}]
                              - from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
                                ports: [{protocol: TCP, port: 9249}]
                            """));
            assertThat(RenderedChart.pods(RenderedChart.objects(way)).keySet().stream()
                            .filter(pod -> "flink".equals(labels(way, pod).get("app.kubernetes.io/name"))))
                    .as("all of Flink's pods, and no others")
                    .containsExactlyInAnyOrderElementsOf(flink(way));
        }
    }

    private static Set<String> flink(String way) {
        return way.equals("plain")
                ? Set.of("Deployment/jobmanager", "Deployment/taskmanager")
                : Set.of("FlinkDeployment/tailrace-job");
    }

    @Test
    void callersThatAreNamedReachWhatServesAndNothingElse() {
        assertThat(spec("everything", "NetworkPolicy", "callers")).isEqualTo(document("""
                        podSelector: {matchLabels:
                          {app.kubernetes.io/part-of: tailrace, app.kubernetes.io/instance: tailrace, tailrace/serves: http}}
                        policyTypes: [Ingress]
                        ingress:
                          - from: [{namespaceSelector: {matchExpressions:
                              [{key: kubernetes.io/metadata.name, operator: In, values: [gateway, monitoring]}]}}]
                            ports: [{protocol: TCP, port: 8000}]
                        """));
        assertThat(RenderedChart.pods(RenderedChart.objects("everything")).keySet().stream()
                        .filter(pod -> labels("everything", pod).containsKey("tailrace/serves")))
                .containsExactlyInAnyOrder("Deployment/engine", "Deployment/acme", "Deployment/worker");
        assertThat(names("default", "NetworkPolicy")).doesNotContain("callers");
    }

    /** No key of the store is anywhere then; the accounts' annotations are what the cloud knows pods by. */
    @Test
    void podsWithAnIdentityHaveAnnotatedAccountsAndNoKeys() {
        assertThat(annotations("everything", "tailrace-job")).isEqualTo(Map.of("role", "job"));
        assertThat(annotations("everything", "tailrace-reader")).isEqualTo(Map.of("role", "reader"));
        assertThat(annotations("default", "tailrace-job")).isNull();
        assertThat(spec("everything", "FlinkDeployment", "tailrace-job"))
                .containsEntry("serviceAccount", "tailrace-job");
        for (String reader : List.of("Deployment/engine", "Deployment/acme", "Deployment/worker", "DaemonSet/agent")) {
            assertThat(pod("everything", reader)).as(reader).containsEntry("serviceAccountName", "tailrace-reader");
        }
        assertThat(RepositoryFiles.map(
                        spec("everything", "FlinkDeployment", "tailrace-job").get("flinkConfiguration")))
                .containsEntry("s3.aws.credentials.provider", "com.amazonaws.auth.WebIdentityTokenCredentialsProvider");
        assertThat(RenderedChart.objects("everything").toString()).doesNotContain("AWS_ACCESS_KEY_ID", "AWS_SECRET");
        assertThatThrownBy(() -> RenderedChart.objects("plain", Map.of("store.workloadIdentity.enabled", "true")))
                .hasMessageContaining("with store.workloadIdentity use job.mode operator");
    }

    private static Object annotations(String way, String account) {
        return RepositoryFiles.map(RenderedChart.object(RenderedChart.objects(way), "ServiceAccount", account)
                        .get("metadata"))
                .get("annotations");
    }

    @ParameterizedTest
    @CsvSource({
        "default, FlinkDeployment/tailrace-job, flink-main-container, tailrace-store",
        "default, Deployment/engine, agent, tailrace-store-reader",
        "plain, Deployment/jobmanager, jobmanager, tailrace-store",
        "plain, Deployment/taskmanager, taskmanager, tailrace-store",
    })
    void keysOfTheStoreAreTakenFromTheSecretOfEachRole(String way, String pod, String container, String secret) {
        List<?> env =
                (List<?>) RenderedChart.containers(
                                RenderedChart.pods(RenderedChart.objects(way)).get(pod))
                        .stream()
                        .filter(each -> container.equals(each.get("name")))
                        .findFirst()
                        .orElseThrow()
                        .get("env");
        assertThat(env.stream().map(RepositoryFiles::map).toList())
                .contains(
                        document("{name: AWS_ACCESS_KEY_ID, valueFrom: {secretKeyRef: {name: %s, key: access-key}}}"
                                .formatted(secret)),
                        document("{name: AWS_SECRET_ACCESS_KEY, valueFrom: {secretKeyRef: {name: %s, key: secret-key}}}"
                                .formatted(secret)));
    }

    /** Each party's rights at the store are its own: others' segments are not its business. */
    @Test
    void aPartysPodsReadTheStoreWithItsOwnKeys() {
        Map<String, Map<String, Object>> pods = RenderedChart.pods(
                RenderedChart.objects("everything", Map.of("store.workloadIdentity.enabled", "false")));
        assertThat(env(pods, "Deployment/acme", "agent")).contains("name=store-acme");
        assertThat(env(pods, "Deployment/worker", "worker")).contains("name=store-acme");
        assertThat(env(pods, "Deployment/engine", "agent")).contains("name=tailrace-store-reader");
        assertThat(env(pods, "DaemonSet/agent", "agent")).contains("name=tailrace-store-reader");
    }

    private static String env(Map<String, Map<String, Object>> pods, String pod, String container) {
        return String.valueOf(RenderedChart.container(pods.get(pod), container).get("env"));
    }

    /** The chart names secrets and makes none; the signing key is the job's alone. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void secretsAreNamedAndTheSigningKeyIsTheJobsAlone(String way) {
        assertThat(names(way, "Secret")).isEmpty();
        Set<String> flink = flink(way);
        RenderedChart.pods(RenderedChart.objects(way)).forEach((name, pod) -> {
            Map<String, Object> secrets = secretVolumes(pod);
            assertThat(mounted(pod)).as(name).containsAll(secrets.keySet());
            assertThat(secrets).as(name).containsKey("kafka");
            if (flink.contains(name)) {
                assertThat(secrets).as(name).containsEntry("signing", "tailrace-signing-key");
            } else {
                assertThat(secrets).as(name).doesNotContainKey("signing").doesNotContainValue("tailrace-signing-key");
            }
            if (!name.startsWith("Job/")) {
                assertThat(secrets).as(name).containsEntry("trusted", "tailrace-trusted-keys");
            }
        });
        if (way.equals("everything")) {
            assertThat(secretVolumes(
                            RenderedChart.pods(RenderedChart.objects(way)).get("Deployment/worker")))
                    .containsEntry("api", "api-keys");
        }
    }

    private static Set<String> mounted(Map<String, Object> pod) {
        return RenderedChart.containers(pod).stream()
                .flatMap(container -> ((List<?>) container.get("volumeMounts")).stream())
                .map(mount -> String.valueOf(RepositoryFiles.map(mount).get("name")))
                .collect(Collectors.toSet());
    }

    private static Map<String, Object> secretVolumes(Map<String, Object> pod) {
        return ((List<?>) RepositoryFiles.map(pod.get("spec")).get("volumes"))
                .stream()
                        .map(RepositoryFiles::map)
                        .filter(volume -> volume.containsKey("secret"))
                        .collect(Collectors.toMap(
                                volume -> String.valueOf(volume.get("name")),
                                volume -> RepositoryFiles.map(volume.get("secret"))
                                        .get("secretName")));
    }
}
