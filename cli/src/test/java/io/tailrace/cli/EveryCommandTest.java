package io.tailrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.OptionHeadings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What holds for each command, those of later days included. */
class EveryCommandTest {
    private static final int USAGE_LINES_MAX = 10;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static Stream<String> commands() {
        return below(Tailrace.commandLine()).map(CommandSpec::qualifiedName);
    }

    /** Its own commands, without picocli's. */
    private static Stream<CommandSpec> below(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(sub -> !List.of("help", "generate-completion").contains(sub.getCommandName()))
                .flatMap(sub -> Stream.concat(Stream.of(sub.getCommandSpec()), below(sub)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aMistakeIsSaidInTenLinesAtMostWithWhereHelpIs(String command) {
        assertThat(run(command, "--no-such-option")).isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString().lines()).hasSizeBetween(2, USAGE_LINES_MAX);
        assertThat(err.toString()).startsWith("tailrace: ").contains("See '" + command + " --help'.");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpStandsUnderHeadingsWithWhatEveryCommandHasLast(String command) {
        assertThat(run(command, "--help")).isZero();
        String help = out.toString();
        CommandSpec spec = below(Tailrace.commandLine())
                .filter(each -> each.qualifiedName().equals(command))
                .findFirst()
                .orElseThrow();
        if (!spec.subcommands().isEmpty()) {
            return;
        }
        List<String> headings = OptionHeadings.of(spec).entrySet().stream()
                .filter(headed -> headed.getValue().stream().anyMatch(option -> !option.hidden()))
                .map(headed -> headed.getKey() + ":")
                .toList();
        assertThat(headings).last().isEqualTo("Everywhere:");
        assertThat(help.lines().filter(headings::contains)).containsExactlyElementsOf(headings);
        assertThat(spec.options().stream().filter(OptionSpec::required).filter(OptionSpec::hidden))
                .as("what must be given is in the help")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandSaysItsVersion(String command) {
        assertThat(run(command, "--version")).isZero();
        assertThat(out.toString()).matches("tailrace \\d+\\.\\d+\\.\\d+(, commit [0-9a-f]{10}(-dirty)?)?\\R");
    }

    @Test
    void everyCommandStandsUnderAHeadingThatSaysWhatOneWants() {
        assertThat(run("tailrace", "--help")).isZero();
        assertThat(out.toString())
                .contains("Serve:", "Look:", "Act:")
                .doesNotContain("Commands:")
                .as("commands that no heading names")
                .doesNotContain("Laboratory:");
    }

    @Test
    void everyCommandHasAManualPage() throws IOException {
        assertThat(run("tailrace man-pages", folder.resolve("man").toString())).isZero();
        List<String> pages;
        try (Stream<Path> files = Files.list(folder.resolve("man"))) {
            pages = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(pages)
                .contains("tailrace.adoc")
                .containsAll(below(Tailrace.commandLine())
                        .filter(spec -> !spec.usageMessage().hidden())
                        .map(spec -> spec.qualifiedName("-") + ".adoc")
                        .toList());
        assertThat(Files.readString(folder.resolve("man/tailrace-worker.adoc")))
                .contains(":doctype: manpage", "*--chat-template*=_FILE_", "*--model*=_FOLDER_");
        for (String page : pages) {
            assertThat(Files.readAllLines(folder.resolve("man").resolve(page)))
                    .as("%s: AsciiDoc drops a line that is all in brackets", page)
                    .doesNotContain("[OPTION...]");
        }
    }

    private int run(String command, String argument) {
        List<String> words = Stream.concat(Stream.of(command.split(" ", -1)).skip(1), Stream.of(argument))
                .toList();
        return Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words.toArray(String[]::new));
    }
}
