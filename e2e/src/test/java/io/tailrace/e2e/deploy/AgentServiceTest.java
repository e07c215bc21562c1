package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What can be said of deploy/systemd without a systemd. */
class AgentServiceTest {
    private static final String UNIT = "deploy/systemd/tailrace-agent.service";
    private static final String PAGE = "docs/how-to/draft-for-vllm.md";
    private static final String LAUNCHER = "/opt/tailrace/tailrace";

    private static Map<String, String> settings() {
        return RepositoryFiles.text(UNIT)
                .lines()
                .filter(line -> line.matches("[A-Za-z]+=.*"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
    }

    /** What the launcher is started with. */
    static List<String> arguments() {
        List<String> words = List.of(settings().get("ExecStart").split(" ", -1));
        assertThat(words.get(0)).isEqualTo(LAUNCHER);
        return words.subList(1, words.size());
    }

    /** Below what systemd makes for this user, so that nothing depends on the folder it is started in. */
    @Test
    void allItKeepsLiesInItsFolders() {
        String run = "/run/" + settings().get("RuntimeDirectory") + "/";
        String state = "/var/lib/" + settings().get("StateDirectory") + "/";
        assertThat(arguments())
                .contains(
                        "--listen=" + run + "agent.sock",
                        "--kept=" + state + "kept",
                        "--cache=" + state + "cache",
                        "--spool=" + state + "spool");
        assertThat(settings())
                .containsEntry("RuntimeDirectoryMode", "0700")
                .containsEntry("RuntimeDirectoryPreserve", "yes")
                .containsEntry("StateDirectoryMode", "0700");
    }

    @Test
    void itIsAlwaysThereAgain() {
        assertThat(settings())
                .containsEntry("Restart", "always")
                .containsEntry("StartLimitIntervalSec", "0")
                .containsEntry("SuccessExitStatus", "143");
    }

    @Test
    void thePageInstallsItAndStartsVllmAtItsSocket() {
        assertThat(PageCommands.of(PAGE).in("## As a service").commands())
                .anyMatch(command -> command.contains(UNIT))
                .anyMatch(command -> command.endsWith(" " + LAUNCHER + " --version"))
                .anyMatch(command -> command.startsWith("TAILRACE_AGENT=/run/tailrace/agent.sock vllm serve "));
        assertThat(PageCommands.of(PAGE).in("## In containers").commands())
                .anyMatch(command -> command.contains(" -v vllm_socket:/run/tailrace ")
                        && command.contains(" agent ")
                        && command.contains(" --listen /run/tailrace/agent.sock "))
                .anyMatch(command -> command.contains(" -v vllm_socket:/run/tailrace ")
                        && command.contains(" -e TAILRACE_AGENT=/run/tailrace/agent.sock "));
    }
}
