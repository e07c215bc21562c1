package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.OptionsPage;
import io.tailrace.cli.Tailrace;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.terminal.ConfiguredCommandLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the compose file, the chart, the pod and the service start takes the options they give it, and the reference lists all of them. */
class CommandOptionsTest {
    private static final CommandSpec JOB = CommandSpec.forAnnotatedObject(new IndexJobOptions());

    static Stream<Arguments> commands() throws Exception {
        List<Arguments> commands = new ArrayList<>();
        Map<String, Object> services =
                RepositoryFiles.map(RepositoryFiles.yaml("docker-compose.yml").get("services"));
        services.forEach((name, service) -> add(
                commands,
                "compose " + name,
                RepositoryFiles.map(service).get("image"),
                RepositoryFiles.map(service).get("entrypoint"),
                RepositoryFiles.map(service).get("command")));
        HelmChartTest.started()
                .forEach((where, container) ->
                        add(commands, where, container.get("image"), container.get("command"), container.get("args")));
        RenderedChart.pods(RepositoryFiles.yamlDocuments("deploy/kubernetes/vllm-with-agent.yaml"))
                .forEach((name, pod) -> RenderedChart.containers(pod)
                        .forEach(container -> add(
                                commands,
                                "pod " + container.get("name"),
                                container.get("image"),
                                container.get("command"),
                                container.get("args"))));
        add(commands, "systemd agent", "tailrace/tailrace:", null, AgentServiceTest.arguments());
        return commands.stream();
    }

    private static void add(List<Arguments> commands, String where, Object image, Object entrypoint, Object arguments) {
        boolean job = RepositoryFiles.strings(entrypoint).contains("/opt/tailrace/jobmanager.sh");
        boolean launcher = String.valueOf(image).startsWith("tailrace/tailrace:") && entrypoint == null;
        if (job || launcher) {
            commands.add(Arguments.of(where, job, RepositoryFiles.strings(arguments)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void givesOnlyOptionsThatThereAreAndAllThatMustBe(String where, boolean job, List<String> arguments) {
        CommandSpec spec = job ? JOB : Tailrace.commandLine().getCommandSpec();
        int at = 0;
        while (at < arguments.size() && spec.subcommands().containsKey(arguments.get(at))) {
            spec = spec.subcommands().get(arguments.get(at++)).getCommandSpec();
        }
        assertThat(at > 0 || job).as(where).isTrue();
        List<String> given = arguments.subList(at, arguments.size()).stream()
                .filter(argument -> argument.startsWith("--"))
                .map(argument -> argument.split("=", 2)[0])
                .toList();
        assertThat(spec.optionsMap().keySet()).containsAll(given);
        spec.options().stream()
                .filter(OptionSpec::required)
                .forEach(option -> assertThat(given).contains(option.longestName()));
    }

    @Test
    void theyStartTheJobTheTopicsTheAuditAndWhatServes() throws Exception {
        assertThat(commands().map(command -> command.get()[0]))
                .contains(
                        "compose jobmanager",
                        "compose worker",
                        "compose agent",
                        "chart everything Job/topics topics",
                        "chart everything Deployment/audit audit",
                        "chart everything Deployment/engine agent",
                        "pod agent",
                        "systemd agent");
    }

    @Test
    void theReferenceOfOptionsIsMadeFromTheCommands() {
        assertThat(RepositoryFiles.text(ConfiguredCommandLine.REFERENCE))
                .as("make it anew: ./tailrace options > " + ConfiguredCommandLine.REFERENCE)
                .isEqualTo(OptionsPage.text());
    }

    @Test
    void theReferenceOfOptionsNamesAllOfThemWithWhatTheyDo() {
        String page = OptionsPage.text();
        Stream.of("worker", "job", "load", "demo", "replay")
                .flatMap(name -> Tailrace.commandLine().getSubcommands().get(name).getCommandSpec().options().stream())
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .forEach(option -> assertThat(page).contains("`" + option.longestName()));
        assertThat(page).contains("| `--spool-bytes BYTES` | `268435456` |").doesNotContain("${", " |  |\n");
    }
}
