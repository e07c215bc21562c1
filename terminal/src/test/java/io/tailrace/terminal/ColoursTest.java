package io.tailrace.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Colours where a terminal is, and nowhere else. */
class ColoursTest {
    private static final String ESCAPE = "\u001b[";

    @AfterEach
    void forget() {
        System.clearProperty("picocli.ansi");
        System.clearProperty("tailrace.terminal");
    }

    @Test
    void onATerminalHeadingsOptionsAndFailuresStandOut() {
        System.setProperty("picocli.ansi", "true");
        System.setProperty("tailrace.terminal", "true");
        assertThat(run("--help")).contains(ESCAPE + "1mOptions:", ESCAPE + "33m--often");
        assertThat(run("--nonsense"))
                .startsWith(ESCAPE + "1m" + ESCAPE + "31mtailrace:")
                .contains("--nonsense");
        assertThat(run()).startsWith(ESCAPE + "1m" + ESCAPE + "31mtailrace:").contains("nothing was given");
    }

    @Test
    void elsewhereThereIsTextAlone() {
        assertThat(run("--help")).contains("Options:").doesNotContain(ESCAPE);
        assertThat(run("--nonsense")).startsWith("tailrace: ").doesNotContain(ESCAPE);
        System.setProperty("picocli.ansi", "true");
        assertThat(run()).as("what goes wrong goes to a file").startsWith("tailrace: nothing was given");
    }

    private static String run(String... arguments) {
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said, true);
        CommandLine command = new CommandLine(new Plain())
                .setOut(to)
                .setErr(to)
                .setParameterExceptionHandler(Failures::usage)
                .setExecutionExceptionHandler(Failures.handler(Set.of()));
        OptionHeadings.install(command);
        command.execute(arguments);
        return said.toString();
    }

    @Command(name = "plain", mixinStandardHelpOptions = true)
    private static final class Plain implements Runnable {
        @Option(names = "--often", description = "Again.")
        private boolean often;

        @Override
        public void run() {
            throw new BadInputException("nothing was given, often " + often);
        }
    }
}
