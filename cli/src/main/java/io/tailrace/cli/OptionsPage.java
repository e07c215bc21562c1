package io.tailrace.cli;

import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ConfiguredCommandLine;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.OptionHeadings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The reference of options: every command's, as a Markdown page made from the commands themselves. */
public final class OptionsPage {
    /** Such as {@code Default: 16.}, with what follows in brackets. */
    private static final Pattern DEFAULT_AT_END = Pattern.compile("\\s*Default: ([^(]+?)\\.?($| \\(.*$)");

    private static final Set<String> PICOCLIS_OWN = Set.of("help", "generate-completion");

    /** A row that so many commands have is told once, for all of them. */
    private static final int COMMANDS_ALIKE = 3;

    private static final String SHARED = "Options of several commands";

    private final StringBuilder text = new StringBuilder();
    private final List<Section> sections = new ArrayList<>();

    private OptionsPage() {}

    /**
     * A command.
     *
     * @param rows in the order of its help
     */
    private record Section(String name, String description, List<Row> rows) {}

    /**
     * A line of a table.
     *
     * @param name as the option is named in a sentence
     */
    private record Row(String name, String line) {
        String bareName() {
            return name.replaceAll("[*`]", "");
        }
    }

    /** The page of the launcher's commands, and of the job on a cluster. */
    public static String text() {
        OptionsPage page = new OptionsPage();
        page.introduce();
        page.command(Tailrace.commandLine().getCommandSpec());
        page.write(shared(page.sections));
        page.job();
        return page.text.toString();
    }

    private void introduce() {
        lines(
                "# Options",
                "",
                "Made by `./tailrace options > " + ConfiguredCommandLine.REFERENCE
                        + "` from the commands themselves; a test compares it.",
                "",
                "Options in **bold** are in `--help`. All others are for rare cases: give them on the command line too, or in a file that",
                "`--config FILE` names. That is a properties file of option names without their dashes:",
                "",
                "```properties",
                "cache-tokens = 65536",
                "# of an option that may be repeated: a point and any text, or the key of KEY=VALUE",
                "scope-rule.1 = gateway=*",
                "client-property.security.protocol = SASL_SSL",
                "```",
                "",
                "The command line wins over the file. A key that is no option of the command is refused.");
    }

    private void command(CommandSpec spec) {
        for (CommandLine each : spec.subcommands().values()) {
            CommandSpec sub = each.getCommandSpec();
            if (sub.usageMessage().hidden() || PICOCLIS_OWN.contains(sub.name())) {
                continue;
            }
            if (sub.subcommands().isEmpty()) {
                section(sub, sub.qualifiedName());
            } else {
                command(sub);
            }
        }
    }

    private void job() {
        CommandSpec job = new ConfiguredCommandLine(new IndexJobOptions(), List.of()).getCommandSpec();
        lines(
                "",
                "## The job on a Flink cluster",
                "",
                "`flink run tailrace-job.jar` takes the options of `tailrace job` without those of the Flink in its process:",
                "",
                String.join(
                                ", ",
                                job.options().stream()
                                        .map(option -> "`" + option.longestName() + "`")
                                        .toList()) + ".");
    }

    /** Of each option the row that most commands have, where those are enough; by its bare name. */
    private static Map<String, Row> shared(List<Section> sections) {
        Map<Row, Integer> uses = new LinkedHashMap<>();
        sections.forEach(section -> section.rows().forEach(row -> uses.merge(row, 1, Integer::sum)));
        Map<String, Row> shared = new LinkedHashMap<>();
        uses.forEach((row, commands) -> {
            if (commands >= COMMANDS_ALIKE) {
                shared.merge(row.bareName(), row, (one, other) -> uses.get(one) < uses.get(other) ? other : one);
            }
        });
        return shared;
    }

    private void write(Map<String, Row> shared) {
        lines("", "## " + SHARED, "", "Each command below names those that it has.");
        table(shared.values().stream()
                .sorted(Comparator.comparing(Row::bareName))
                .toList());
        for (Section section : sections) {
            lines("", "## " + section.name(), "", section.description());
            Map<Boolean, List<Row>> rows = section.rows().stream()
                    .collect(Collectors.partitioningBy(row -> row.equals(shared.get(row.bareName()))));
            table(rows.get(false));
            if (!rows.get(true).isEmpty()) {
                lines(
                        "",
                        "And [of several commands](#%s): %s."
                                .formatted(
                                        SHARED.toLowerCase(Locale.ROOT).replace(' ', '-'),
                                        rows.get(true).stream().map(Row::name).collect(Collectors.joining(", "))));
            }
        }
    }

    private void table(List<Row> rows) {
        if (!rows.isEmpty()) {
            lines("", "| option | default | range | what |", "|---|---|---|---|");
            rows.forEach(row -> lines(row.line()));
        }
    }

    private void section(CommandSpec spec, String name) {
        List<Row> rows = new ArrayList<>();
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            String label = "**" + parameter.paramLabel() + "**";
            rows.add(new Row(label, line(label, initial(parameter), "", parameter)));
        }
        OptionHeadings.of(spec).values().stream()
                .flatMap(List::stream)
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(OptionsPage::row)
                .forEach(rows::add);
        sections.add(new Section(
                name, String.join(" ", spec.usageMessage().description()).formatted(), rows));
    }

    private static Row row(OptionSpec option) {
        String usage = option.longestName() + (option.arity().max() == 0 ? "" : " " + option.paramLabel());
        return new Row(
                marked(option, option.longestName()),
                line(marked(option, usage), initial(option), bounds(option), option));
    }

    private static String marked(OptionSpec option, String usage) {
        String named = "`" + usage + "`";
        return option.hidden() ? named : "**" + named + "**";
    }

    /** The description goes without its default, which has a column of its own. */
    private static String line(String name, String initial, String bounds, ArgSpec argument) {
        String what = DEFAULT_AT_END.matcher(words(argument)).replaceFirst("$2");
        return Stream.of(name, initial, bounds, what)
                .map(cell -> "| " + cell.replace("|", "\\|") + " ")
                .collect(Collectors.joining("", "", "|"));
    }

    private static String words(ArgSpec argument) {
        return String.join(" ", argument.description()).replace("%%", "%");
    }

    private static String initial(PositionalParamSpec parameter) {
        Matcher said = DEFAULT_AT_END.matcher(words(parameter));
        return parameter.required() || !said.find() ? "required" : said.group(1);
    }

    private static String initial(OptionSpec option) {
        if (OptionHeadings.isRequired(option)) {
            return "required";
        }
        Matcher said = DEFAULT_AT_END.matcher(words(option));
        String value = option.defaultValue();
        if (value == null || value.isEmpty()) {
            return said.find() ? said.group(1) : "";
        }
        boolean more = said.find() && said.group(1).startsWith(value);
        return "`" + value + "`" + (more ? said.group(1).substring(value.length()) : "");
    }

    private static String bounds(OptionSpec option) {
        return ConfiguredCommandLine.bounds(option).map(Bounds.Words::of).orElse("");
    }

    private void lines(String... lines) {
        for (String line : lines) {
            text.append(line).append('\n');
        }
    }

    /** Options in the help of each command, and in all; for people who keep the help short. */
    static List<String> counts() {
        List<String> counts = new ArrayList<>();
        count(Tailrace.commandLine().getCommandSpec(), counts);
        return counts;
    }

    private static void count(CommandSpec spec, List<String> counts) {
        for (CommandLine each : spec.subcommands().values()) {
            CommandSpec sub = each.getCommandSpec();
            long visible =
                    sub.options().stream().filter(option -> !option.hidden()).count();
            counts.add("%-36s %3d of %3d"
                    .formatted(sub.qualifiedName(), visible, sub.options().size()));
            count(sub, counts);
        }
    }

    /** {@code tailrace options}: prints the reference of options. */
    @Command(
            name = "options",
            hidden = true,
            mixinStandardHelpOptions = true,
            description = "Prints the reference of every command's options as Markdown.")
    static final class OptionsCommand implements Callable<Integer> {
        @Option(names = "--counts", description = "Instead: how many options each command shows, of how many.")
        private boolean counts;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            if (counts) {
                OptionsPage.counts().forEach(out::println);
            } else {
                out.print(OptionsPage.text());
            }
            out.flush();
            return ExitCodes.DONE;
        }
    }
}
