package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of deploy/kubernetes without a cluster. */
class KubernetesManifestsTest {
    private static final String FOLDER = "deploy/kubernetes/";
    private static final Map<String, Object> KUSTOMIZATION = RepositoryFiles.yaml(FOLDER + "kustomization.yaml");
    private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:v?[0-9]+\\.[0-9]+(\\.[0-9]+)?[A-Za-z0-9._-]*");

    /** What the image's user lacks. */
    private static final Set<String> PLAIN = Set.of("HOME", "USER", "LOGNAME", "TORCHINDUCTOR_CACHE_DIR");

    private static List<Map<String, Object>> objects() {
        return RepositoryFiles.strings(KUSTOMIZATION.get("resources")).stream()
                .flatMap(file -> RepositoryFiles.yamlDocuments(FOLDER + file).stream())
                .toList();
    }

    private static String name(Map<String, Object> object) {
        return object.get("kind") + "/"
                + RepositoryFiles.map(object.get("metadata")).get("name");
    }

    static Stream<Arguments> pods() {
        return objects().stream()
                .filter(object -> Set.of("Deployment", "Job").contains(object.get("kind")))
                .map(object -> {
                    Map<String, Object> spec = RepositoryFiles.map(object.get("spec"));
                    Map<String, Object> template = RepositoryFiles.map(spec.get("template"));
                    return Arguments.of(name(object), template);
                });
    }

    /** Those of a pod, its sidecars first. */
    static List<Map<String, Object>> containers(Map<String, Object> template) {
        Map<String, Object> spec = RepositoryFiles.map(template.get("spec"));
        return Stream.of("initContainers", "containers")
                .flatMap(kind -> ((List<?>) spec.getOrDefault(kind, List.of())).stream())
                .map(RepositoryFiles::map)
                .toList();
    }

    /** Alerts go by the names of scrape jobs. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void prometheusKnowsAPodByTheJobOfItsAlerts(String name, Map<String, Object> template) {
        Map<String, Object> metadata = RepositoryFiles.map(template.get("metadata"));
        if (!metadata.containsKey("annotations")) {
            assertThat(name).startsWith("Job/");
            return;
        }
        assertThat(RepositoryFiles.map(metadata.get("annotations"))).containsEntry("prometheus.io/scrape", "true");
        String pod = (String) RepositoryFiles.map(metadata.get("labels")).get("app.kubernetes.io/name");
        Map<String, Object> scrape = RepositoryFiles.map(((List<?>)
                        RepositoryFiles.yaml("deploy/prometheus/kubernetes.yml").get("scrape_configs"))
                .get(0));
        List<String> jobs = ((List<?>) scrape.get("relabel_configs"))
                .stream()
                        .map(RepositoryFiles::map)
                        .filter(rule ->
                                "job".equals(rule.get("target_label")) && pod.matches((String) rule.get("regex")))
                        .map(rule -> pod.replaceFirst((String) rule.get("regex"), (String) rule.get("replacement")))
                        .toList();
        assertThat(jobs).hasSize(1).isSubsetOf("flink-jobmanager", "flink-taskmanager", "worker");
    }

    @Test
    void everyFileIsListedAndEveryObjectHasAnIdentityOfItsOwn() {
        Set<String> files = RepositoryFiles.below(FOLDER, ".yaml").stream()
                .map(file -> file.substring(FOLDER.length()))
                .filter(file -> !file.equals("kustomization.yaml"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(RepositoryFiles.strings(KUSTOMIZATION.get("resources"))).containsExactlyInAnyOrderElementsOf(files);
        List<String> names = new ArrayList<>();
        for (Map<String, Object> object : objects()) {
            assertThat(object).containsKeys("apiVersion", "kind", "metadata");
            names.add(name(object));
        }
        assertThat(names).doesNotHaveDuplicates().contains("Deployment/jobmanager", "Deployment/engine");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void runsAPinnedImageWithoutRightsAndWithinBounds(String name, Map<String, Object> template) {
        assertThat(RepositoryFiles.map(RepositoryFiles.map(template.get("spec")).get("securityContext")))
                .containsEntry("runAsNonRoot", true);
        for (Map<String, Object> container : containers(template)) {
            assertThat(container.get("image")).asString().matches(PINNED);
            assertThat(RepositoryFiles.map(container.get("securityContext")))
                    .containsEntry("allowPrivilegeEscalation", false);
            assertThat(RepositoryFiles.map(
                            RepositoryFiles.map(container.get("resources")).get("limits")))
                    .containsKey("memory");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void mountsOnlyVolumesItHas(String name, Map<String, Object> template) {
        Set<Object> volumes = ((List<?>)
                        RepositoryFiles.map(template.get("spec")).get("volumes"))
                .stream().map(volume -> RepositoryFiles.map(volume).get("name")).collect(Collectors.toSet());
        Set<Object> mounts = containers(template).stream()
                .flatMap(container -> ((List<?>) container.get("volumeMounts")).stream())
                .map(mount -> RepositoryFiles.map(mount).get("name"))
                .collect(Collectors.toSet());
        assertThat(mounts).isEqualTo(volumes);
    }

    private static List<String> folders(Map<String, Object> container) {
        return ((List<?>) container.get("volumeMounts"))
                .stream()
                        .map(mount -> String.valueOf(RepositoryFiles.map(mount).get("mountPath")))
                        .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void mountsTheFilesThatItsOptionsName(String name, Map<String, Object> template) {
        for (Map<String, Object> container : containers(template)) {
            for (String argument : RepositoryFiles.strings(container.get("args"))) {
                if (argument.contains("=/etc/tailrace/")) {
                    String file = argument.substring(argument.indexOf('=') + 1);
                    assertThat(folders(container)).contains(file.substring(0, file.lastIndexOf('/')));
                }
            }
        }
    }

    /** A TaskManager signs what the job announces; nobody but the job has the private key. */
    @Test
    void theSigningKeyIsWhereTheJobIsAndNowhereElse() {
        List<String> having = pods().filter(pod -> containers(RepositoryFiles.map(pod.get()[1])).stream()
                        .anyMatch(container -> folders(container).contains("/etc/tailrace/signing")))
                .map(pod -> String.valueOf(pod.get()[0]))
                .toList();
        assertThat(having)
                .hasSize(2)
                .anyMatch(pod -> pod.contains("jobmanager"))
                .anyMatch(pod -> pod.contains("taskmanager"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void takesSecretsByReference(String name, Map<String, Object> template) {
        for (Map<String, Object> container : containers(template)) {
            for (Object variable : (List<?>) container.getOrDefault("env", List.of())) {
                Map<String, Object> given = RepositoryFiles.map(variable);
                if (!PLAIN.contains(given.get("name"))) {
                    assertThat(given).containsKey("valueFrom");
                }
            }
        }
    }

    /** A user that no file of the image names has no name: PyTorch asks for one, and does not load without. */
    @Test
    void anEnginesUserHasANameAndCachesInItsHome() {
        Map<String, Object> pod = pods().filter(each -> "Deployment/engine".equals(each.get()[0]))
                .map(each -> RepositoryFiles.map(each.get()[1]))
                .findFirst()
                .orElseThrow();
        startsWhereItsImageKnowsNoUser(pod);
    }

    /** Of an engine's pod, however it was made. */
    static void startsWhereItsImageKnowsNoUser(Map<String, Object> pod) {
        assertThat(RepositoryFiles.map(pod.get("spec"))).containsEntry("enableServiceLinks", false);
        Map<String, Object> vllm = containers(pod).stream()
                .filter(container -> "vllm".equals(container.get("name")))
                .findFirst()
                .orElseThrow();
        Map<Object, Object> values = new LinkedHashMap<>();
        for (Object variable : (List<?>) vllm.get("env")) {
            values.put(
                    RepositoryFiles.map(variable).get("name"),
                    RepositoryFiles.map(variable).get("value"));
        }
        assertThat(values).containsEntry("USER", "engine").containsEntry("LOGNAME", "engine");
        assertThat(folders(vllm)).contains(String.valueOf(values.get("HOME")));
        assertThat(values.get("TORCHINDUCTOR_CACHE_DIR")).asString().startsWith(values.get("HOME") + "/");
    }

    @Test
    void everySettingThatAnArgumentUsesIsThere() {
        Set<String> settings = RepositoryFiles.text(FOLDER + "settings.env")
                .lines()
                .map(line -> line.substring(0, line.indexOf('=')))
                .collect(Collectors.toCollection(TreeSet::new));
        settings.add("POD_NAME");
        Pattern variable = Pattern.compile("\\$\\(([A-Z_]+)\\)");
        pods().flatMap(pod -> containers(RepositoryFiles.map(pod.get()[1])).stream())
                .flatMap(container -> RepositoryFiles.strings(container.get("args")).stream())
                .forEach(argument -> variable.matcher(argument)
                        .results()
                        .forEach(match -> assertThat(settings).contains(match.group(1))));
    }

    @Test
    void servicesAndBudgetsSelectPodsThatExist() {
        Set<Object> labels = pods().map(pod -> RepositoryFiles.map(
                                RepositoryFiles.map(pod.get()[1]).get("metadata"))
                        .get("labels"))
                .map(labelMap -> RepositoryFiles.map(labelMap).get("app.kubernetes.io/name"))
                .collect(Collectors.toSet());
        for (Map<String, Object> object : objects()) {
            if ("Service".equals(object.get("kind"))) {
                Map<String, Object> selector = RepositoryFiles.map(
                        RepositoryFiles.map(object.get("spec")).get("selector"));
                assertThat(labels).contains(selector.get("app.kubernetes.io/name"));
            }
        }
    }
}
