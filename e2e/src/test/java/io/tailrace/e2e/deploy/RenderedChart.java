package io.tailrace.e2e.deploy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** deploy/helm/tailrace as Helm renders it. */
final class RenderedChart {
    static final List<String> WAYS = List.of("default", "everything", "plain");
    private static final Path FOLDER = RepositoryFiles.root().resolve("deploy/helm");
    private static final Map<String, List<Map<String, Object>>> RENDERED = new ConcurrentHashMap<>();

    private RenderedChart() {}

    /** What Helm has to say against it. */
    static LintResult lint() {
        return chart().lint().strict().call();
    }

    /** All objects of a way to install. */
    static List<Map<String, Object>> objects(String way) {
        return RENDERED.computeIfAbsent(way, each -> objects(each, Map.of()));
    }

    /**
     * The same with other values.
     *
     * @throws IllegalStateException with what Helm says, if it does not render
     */
    static List<Map<String, Object>> objects(String way, Map<String, String> values) {
        TemplateCommand template = chart().template()
                .withName("tailrace")
                .withNamespace("tailrace")
                .withKubeVersion("1.34.0");
        if (!way.equals("default")) {
            template.withValuesFile(FOLDER.resolve(way + ".yaml"));
        }
        values.forEach(template::set);
        return RepositoryFiles.documents(template.call());
    }

    private static Helm chart() {
        return new Helm(FOLDER.resolve("tailrace"));
    }

    /** The one of a kind and name. */
    static Map<String, Object> object(List<Map<String, Object>> objects, String kind, String name) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")))
                .filter(object ->
                        name.equals(RepositoryFiles.map(object.get("metadata")).get("name")))
                .findFirst()
                .orElseThrow();
    }

    /** Those of a pod, its sidecars first. */
    static List<Map<String, Object>> containers(Map<String, Object> pod) {
        Map<String, Object> spec = RepositoryFiles.map(pod.get("spec"));
        return Stream.of("initContainers", "containers")
                .flatMap(kind -> ((List<?>) spec.getOrDefault(kind, List.of())).stream())
                .map(RepositoryFiles::map)
                .toList();
    }

    /** The one of a name. */
    static Map<String, Object> container(Map<String, Object> pod, String name) {
        return containers(pod).stream()
                .filter(container -> name.equals(container.get("name")))
                .findFirst()
                .orElseThrow();
    }

    /** Templates of pods, with their objects' kinds and names. */
    static Map<String, Map<String, Object>> pods(List<Map<String, Object>> objects) {
        Map<String, Map<String, Object>> pods = new TreeMap<>();
        for (Map<String, Object> object : objects) {
            Map<String, Object> spec = object.get("spec") == null ? Map.of() : RepositoryFiles.map(object.get("spec"));
            String name = object.get("kind") + "/"
                    + RepositoryFiles.map(object.get("metadata")).get("name");
            if (name.startsWith("Job/topics-")) { // and a hash
                name = "Job/topics";
            }
            if (spec.get("template") != null) {
                pods.put(name, RepositoryFiles.map(spec.get("template")));
            } else if (spec.get("podTemplate") != null) {
                pods.put(name, RepositoryFiles.map(spec.get("podTemplate")));
            }
        }
        return pods;
    }

    /** Of the object of a kind and name. */
    static Map<String, Object> spec(String way, String kind, String name) {
        return RepositoryFiles.map(object(objects(way), kind, name).get("spec"));
    }

    /** The spec of one of {@link #pods}. */
    static Map<String, Object> pod(String way, String name) {
        return RepositoryFiles.map(pods(objects(way)).get(name).get("spec"));
    }

    /** Of the objects of a kind. */
    static List<String> names(String way, String kind) {
        return objects(way).stream()
                .filter(object -> kind.equals(object.get("kind")))
                .map(object -> String.valueOf(
                        RepositoryFiles.map(object.get("metadata")).get("name")))
                .toList();
    }

    /** Of one of {@link #pods}. */
    static Map<String, Object> labels(String way, String pod) {
        return RepositoryFiles.map(
                RepositoryFiles.map(pods(objects(way)).get(pod).get("metadata")).get("labels"));
    }
}
