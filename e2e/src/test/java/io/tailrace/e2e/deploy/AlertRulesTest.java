package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Prometheus' own tool reads the alerts and the dashboards' queries, and works through the alerts' tests; where there is such a tool. */
class AlertRulesTest {
    private static final String TOOL = "promtool";

    @TempDir
    private Path folder;

    @Test
    void theAlertsDoWhatTheirTestsSay() throws Exception {
        promtool("test", "rules", RepositoryFiles.root() + "/deploy/prometheus/alerts.test.yml");
    }

    @Test
    void theAlertsAreRules() throws Exception {
        promtool("check", "rules", RepositoryFiles.root() + "/deploy/prometheus/alerts.yml");
    }

    @Test
    void everyQueryOfTheDashboardsIsOne() throws Exception {
        List<Map<String, String>> rules = RepositoryFiles.below("deploy/grafana/dashboards", ".json").stream()
                .flatMap(dashboard -> RepositoryFiles.json(dashboard).findValuesAsText("expr").stream())
                .distinct()
                .map(expression -> expression.replace("$__rate_interval", "1m"))
                .map(expression -> Map.of("record", "dashboard:query", "expr", expression))
                .toList();
        assertThat(rules).hasSizeGreaterThan(50);
        Path file = folder.resolve("queries.yml");
        Files.writeString(
                file, new Yaml().dump(Map.of("groups", List.of(Map.of("name", "dashboards", "rules", rules)))));
        promtool("check", "rules", "--lint=none", file.toString());
    }

    private static void promtool(String... arguments) throws IOException, InterruptedException {
        Optional<Path> tool = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, TOOL))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(tool.isPresent(), "no promtool on the PATH: install it (Debian: apt-get install prometheus)");
        Process process = new ProcessBuilder(Stream.concat(Stream.of(tool.get().toString()), Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
