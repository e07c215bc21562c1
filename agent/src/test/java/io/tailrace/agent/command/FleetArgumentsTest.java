package io.tailrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.terminal.BadInputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class FleetArgumentsTest {
    @Command
    private static final class Commanded {
        @Mixin
        private FleetArguments fleet = new FleetArguments();
    }

    private static FleetArguments parsed(String... arguments) {
        Commanded commanded = new Commanded();
        new CommandLine(commanded).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return commanded.fleet;
    }

    @Test
    void whatIsKeptOfPromptsIsSaidAsToTheJob() {
        assertThat(parsed().follow().prompts()).isEqualTo(KeptOfPrompts.usual());
        assertThat(parsed("--prompt-tail", "acme=0", "--prompt-tail", "5", "--prompt-signature", "acme=off")
                        .follow()
                        .prompts())
                .isEqualTo(KeptOfPrompts.parse(List.of("acme=0", "5"), List.of("acme=off")));
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        assertRefused("0 to 32", "--prompt-tail", "acme=33");
        assertRefused("on|off", "--prompt-signature", "acme=perhaps");
        assertRefused("--prompt-tail", "--prompt-tail", "acme=1", "--prompt-tail", "acme=2");
    }

    private static void assertRefused(String said, String... arguments) {
        assertThatThrownBy(() -> parsed(arguments).check())
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(said);
    }
}
