package io.tailrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class AgentMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpNamesTheCommandAsTheLauncherDoes() {
        assertThat(run("agent", "--help")).isEqualTo(ExitCodes.DONE);
        assertThat(out.toString()).startsWith("Usage: tailrace agent ").contains("--bootstrap", "--listen", "--config");
    }

    @Test
    void badOptionsAreRefusedInALineBeforeAnythingStarts() {
        assertThat(run("agent", "--port", "70000")).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("--port must be 0 to 65535, got 70000");
        assertThat(run("agent", "--bootstrap", "localhost:1")).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("tailrace: --bootstrap needs --store");
        assertThat(run("agent", "--store", "/nowhere/at/all")).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("--store needs --bootstrap: an agent alone drafts from");
    }

    @Test
    void nothingToDoIsSaid() {
        assertThat(run()).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("Missing command: agent");
    }

    private int run(String... arguments) {
        CommandLine command = AgentMain.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
