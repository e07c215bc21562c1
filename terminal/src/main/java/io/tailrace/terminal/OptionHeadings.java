package io.tailrace.terminal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Options under headings: those of a mixin under the {@code optionListHeading} of its {@code @Command}, others under that of the
 * command, what every command has last.
 */
public final class OptionHeadings {
    private static final String OWN = "Options";
    private static final String EVERYWHERE = "Everywhere";

    private OptionHeadings() {}

    /** Makes the help of a command and of its subcommands so. */
    public static void install(CommandLine command) {
        command.getSubcommands().values().forEach(OptionHeadings::install);
        CommandSpec spec = command.getCommandSpec();
        if (!command.getSubcommands().isEmpty()) {
            return;
        }
        spec.usageMessage().customSynopsis(synopsis(spec));
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> "");
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionHeadings::render);
    }

    /** What must be given, in full; the rest as a word. */
    private static String synopsis(CommandSpec spec) {
        String required = spec.options().stream()
                .filter(OptionHeadings::isRequired)
                .map(option -> option.longestName() + "=" + option.paramLabel() + " ")
                .collect(Collectors.joining());
        String positional = spec.positionalParameters().stream()
                .map(parameter ->
                        " " + parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : ""))
                .collect(Collectors.joining());
        return spec.qualifiedName() + " " + required + "[OPTION...]" + positional;
    }

    /** Whether a command cannot do without it; picocli calls the options of which one may be given required, too. */
    public static boolean isRequired(OptionSpec option) {
        return option.required() && option.group() == null;
    }

    private static String render(Help help) {
        StringBuilder text = new StringBuilder();
        of(help.commandSpec()).forEach((heading, options) -> {
            List<OptionSpec> visible =
                    options.stream().filter(option -> !option.hidden()).toList();
            if (!visible.isEmpty()) {
                text.append(String.format("%n%s%n", help.colorScheme().ansi().string("@|bold " + heading + ":|@")))
                        .append(help.optionListExcludingGroups(visible));
            }
        });
        if (help.commandSpec().findOption("--config") != null) {
            text.append(String.format("%nAll options: %s%n", ConfiguredCommandLine.REFERENCE));
        }
        return text.toString();
    }

    /** The command's options by heading, in the order of the help. */
    public static Map<String, List<OptionSpec>> of(CommandSpec spec) {
        Map<String, List<OptionSpec>> headed = new LinkedHashMap<>();
        List<OptionSpec> everywhere = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            boolean common = option.usageHelp()
                    || option.versionHelp()
                    || option.longestName().equals("--config");
            List<OptionSpec> list =
                    common ? everywhere : headed.computeIfAbsent(heading(spec, option), heading -> new ArrayList<>());
            list.add(option);
        }
        headed.put(EVERYWHERE, everywhere);
        return headed;
    }

    private static String heading(CommandSpec spec, OptionSpec option) {
        return mixinHeading(spec, option).orElse(OWN);
    }

    /** Of the innermost mixin that has one: picocli hands headings on to what the mixin is in. */
    private static Optional<String> mixinHeading(CommandSpec spec, OptionSpec option) {
        return spec.mixins().values().stream()
                .filter(mixin -> mixin.optionsMap().containsKey(option.longestName()))
                .findFirst()
                .flatMap(mixin -> mixinHeading(mixin, option)
                        .or(() -> Optional.ofNullable(mixin.usageMessage().optionListHeading())
                                .filter(heading -> !heading.isEmpty())));
    }
}
