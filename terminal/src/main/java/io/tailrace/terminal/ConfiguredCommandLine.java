package io.tailrace.terminal;

import java.lang.reflect.AnnotatedElement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command line with everyday options, which its help shows, and rare ones, which are hidden and stand in the reference of
 * options. Every command says the same {@link Version}. Every command with rare options takes {@code --config FILE}, a properties file of options. Numbers
 * are checked against their {@link Bounds}. An option that the command does not have is named before anything else is said: picocli takes it
 * for a value of the option before it, or says first which required option is missing.
 */
public final class ConfiguredCommandLine extends CommandLine {
    /** Where all options are described. */
    public static final String REFERENCE = "docs/reference/options.md";

    private static final String END_OF_OPTIONS = "--";
    /** A negative number is none. */
    private static final Pattern OPTION = Pattern.compile("(-[A-Za-z]|--[A-Za-z][^=]*)(=.*)?", Pattern.DOTALL);

    public ConfiguredCommandLine(Object command, List<?> subcommands) {
        super(command);
        subcommands.forEach(this::addSubcommand);
        addVersion(getCommandSpec());
        addConfig(getCommandSpec());
    }

    private static void addVersion(CommandSpec spec) {
        spec.versionProvider(new Version());
        spec.subcommands().values().forEach(command -> addVersion(command.getCommandSpec()));
    }

    /** Adds the file's options to those given, and checks ranges. */
    @Override
    public ParseResult parseArgs(String... arguments) {
        int depth = 0;
        CommandLine command = this;
        while (depth < arguments.length && command.getSubcommands().containsKey(arguments[depth])) {
            command = command.getSubcommands().get(arguments[depth++]);
        }
        List<String> given = Arrays.asList(arguments).subList(depth, arguments.length);
        requireKnown(command, given);
        Optional<Path> path = command.getCommandSpec().findOption(ConfigFile.OPTION) == null
                ? Optional.empty()
                : value(given, ConfigFile.OPTION).map(Path::of);
        if (path.isEmpty()) {
            return checked(parsed(arguments));
        }
        ConfigFile file = ConfigFile.read(path.get(), command);
        List<String> all = new ArrayList<>(Arrays.asList(arguments).subList(0, depth));
        all.addAll(file.arguments(command, option -> isGiven(given, option)));
        all.addAll(given);
        try {
            return checked(parsed(all.toArray(String[]::new)));
        } catch (ParameterException e) {
            throw placed(e, file, given);
        }
    }

    /** Of a command with commands of its own the first word that is no option is such a command, known or not. */
    private static void requireKnown(CommandLine command, List<String> given) {
        boolean itself = command.getSubcommands().isEmpty();
        given.stream()
                .takeWhile(argument -> !argument.equals(END_OF_OPTIONS) && (itself || argument.startsWith("-")))
                .map(OPTION::matcher)
                .filter(Matcher::matches)
                .map(option -> option.group(1))
                .filter(name -> !command.getCommandSpec().optionsMap().containsKey(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new UnmatchedArgumentException(command, List.of(name));
                });
    }

    /** Of what is too much and what is missing, the former is said. */
    private ParseResult parsed(String... arguments) {
        try {
            return super.parseArgs(arguments);
        } catch (MissingParameterException e) {
            List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
            throw unmatched.isEmpty() ? e : new UnmatchedArgumentException(e.getCommandLine(), unmatched);
        }
    }

    private static ParameterException placed(ParameterException failure, ConfigFile file, List<String> given) {
        boolean fromFile = failure.getArgSpec() instanceof OptionSpec option
                && !isGiven(given, option)
                && !file.place(option).isEmpty();
        return fromFile
                ? new ParameterException(
                        failure.getCommandLine(),
                        file.place((OptionSpec) failure.getArgSpec()) + ": " + failure.getMessage(),
                        failure)
                : failure;
    }

    private static ParseResult checked(ParseResult parsed) {
        for (CommandLine command : parsed.asCommandLineList()) {
            command.getCommandSpec().options().forEach(option -> check(command, option));
        }
        return parsed;
    }

    private static void check(CommandLine command, OptionSpec option) {
        Bounds bounds = bounds(option).orElse(null);
        Object value = bounds == null ? null : option.getValue();
        if (value == null) {
            return;
        }
        for (Object each : value instanceof Collection<?> several ? several : List.of(value)) {
            double number = ((Number) each).doubleValue();
            if (!Bounds.Words.holds(bounds, number)) {
                throw new ParameterException(
                        command,
                        "%s must be %s, got %s".formatted(option.longestName(), Bounds.Words.of(bounds), plain(number)),
                        option,
                        plain(number));
            }
        }
    }

    private static String plain(double number) {
        return Bounds.Words.plain(number);
    }

    /** The bounds of an option, if it has some. */
    public static Optional<Bounds> bounds(OptionSpec option) {
        return option.userObject() instanceof AnnotatedElement field
                ? Optional.ofNullable(field.getAnnotation(Bounds.class))
                : Optional.empty();
    }

    private static boolean isGiven(List<String> arguments, OptionSpec option) {
        return Arrays.stream(option.names())
                .anyMatch(name -> arguments.stream()
                        .anyMatch(argument -> argument.equals(name) || argument.startsWith(name + "=")));
    }

    private static Optional<String> value(List<String> arguments, String name) {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).startsWith(name + "=")) {
                return Optional.of(arguments.get(i).substring(name.length() + 1));
            }
            if (arguments.get(i).equals(name) && i + 1 < arguments.size()) {
                return Optional.of(arguments.get(i + 1));
            }
        }
        return Optional.empty();
    }

    private static void addConfig(CommandSpec spec) {
        spec.subcommands().values().forEach(command -> addConfig(command.getCommandSpec()));
        if (spec.options().stream().noneMatch(OptionSpec::hidden)) {
            return;
        }
        spec.addOption(OptionSpec.builder(ConfigFile.OPTION)
                .paramLabel("FILE")
                .type(Path.class)
                .description("Properties file of options without their dashes, also of those not shown here: "
                        + REFERENCE + ". The command line wins.")
                .build());
    }
}
