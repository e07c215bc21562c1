package io.tailrace.e2e.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** deploy/helm/tailrace as Helm renders it. Helm is looked for on the path and where deploy/helm/check.sh builds it. */
final class RenderedChart {
    static final String NO_HELM = "no helm found on the path or in .tailrace/helm/bin: deploy/helm/check.sh builds it";
    static final List<String> WAYS = List.of("default", "everything", "plain");

    private RenderedChart() {}

    static Optional<Path> helm() {
        Stream<Path> path = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder).resolve("helm"));
        return Stream.concat(Stream.of(RepositoryFiles.root().resolve(".tailrace/helm/bin/helm")), path)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** All objects of a way to install, with more of Helm's options; call only where there is a Helm. */
    static List<Map<String, Object>> objects(String way, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                helm().orElseThrow().toString(),
                "template",
                "tailrace",
                "deploy/helm/tailrace",
                "--namespace=tailrace",
                "--kube-version=1.34.0"));
        if (!way.equals("default")) {
            command.add("--values=deploy/helm/" + way + ".yaml");
        }
        command.addAll(List.of(options));
        Path errors = Files.createTempFile("helm", ".errors");
        try {
            Process helm = new ProcessBuilder(command)
                    .directory(RepositoryFiles.root().toFile())
                    .redirectError(errors.toFile())
                    .start();
            String rendered = new String(helm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (helm.waitFor() != 0) {
                throw new IOException(way + " does not render: " + Files.readString(errors));
            }
            return RepositoryFiles.documents(rendered);
        } finally {
            Files.delete(errors);
        }
    }

    /** Templates of pods, with their objects' kinds and names. */
    static Map<String, Map<String, Object>> pods(List<Map<String, Object>> objects) {
        Map<String, Map<String, Object>> pods = new TreeMap<>();
        for (Map<String, Object> object : objects) {
            Map<String, Object> spec = object.get("spec") == null ? Map.of() : RepositoryFiles.map(object.get("spec"));
            String name = object.get("kind") + "/"
                    + RepositoryFiles.map(object.get("metadata")).get("name");
            if (spec.get("template") != null) {
                pods.put(name, RepositoryFiles.map(spec.get("template")));
            } else if (spec.get("podTemplate") != null) {
                pods.put(name, RepositoryFiles.map(spec.get("podTemplate")));
            }
        }
        return pods;
    }
}
