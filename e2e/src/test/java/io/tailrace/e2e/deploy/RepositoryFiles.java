package io.tailrace.e2e.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The repository's deployment files, read from the source tree. */
public final class RepositoryFiles {
    private RepositoryFiles() {}

    /** The folder that holds docker-compose.yml, found upwards from where the test runs. */
    public static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("docker-compose.yml"))) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "no docker-compose.yml above " + Path.of("").toAbsolutePath());
    }

    public static String text(String path) {
        try {
            return Files.readString(root().resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one document of a YAML file; a key given twice is an error. */
    public static Map<String, Object> yaml(String path) {
        return map(parser().load(text(path)));
    }

    static List<Map<String, Object>> yamlDocuments(String path) {
        return documents(text(path));
    }

    /** The YAML documents of a text, but for empty ones. */
    static List<Map<String, Object>> documents(String text) {
        List<Map<String, Object>> documents = new ArrayList<>();
        parser().loadAll(text).forEach(document -> {
            if (document != null) {
                documents.add(map(document));
            }
        });
        return documents;
    }

    /** The first of them. */
    static Map<String, Object> document(String text) {
        return documents(text).get(0);
    }

    public static JsonNode json(String path) {
        try {
            return new ObjectMapper().readTree(text(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files below a folder with an ending, as paths relative to the root. */
    static List<String> below(String folder, String ending) {
        try (Stream<Path> files = Files.walk(root().resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .map(file -> root().relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    static List<String> strings(Object value) {
        return value == null
                ? List.of()
                : ((List<?>) value).stream().map(String::valueOf).toList();
    }

    private static Yaml parser() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options));
    }
}
