package io.tailrace.terminal;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options in a properties file, named as on the command line without the dashes:
 *
 * <pre>
 * cache-tokens = 65536
 * client-property.security.protocol = SASL_SSL     one of several: KEY=VALUE
 * scope-rule.1 = gateway=*                         one of several: a text of one's own choice after the point
 * </pre>
 *
 * <p>A key that is no option is refused with file, line and the nearest name. The command line wins over the file.
 */
final class ConfigFile {
    static final String OPTION = "--config";

    private final Path path;
    private final Map<String, String> entries;

    private ConfigFile(Path path, Map<String, String> entries) {
        this.path = path;
        this.entries = entries;
    }

    /** Reads it; a {@link ParameterException} says what is wrong. */
    static ConfigFile read(Path path, CommandLine command) {
        Map<String, String> entries = new LinkedHashMap<>();
        Properties properties = new Properties() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Object put(Object key, Object value) {
                if (entries.put(key.toString(), value.toString()) != null) {
                    throw new IllegalArgumentException("'%s' is given twice".formatted(key));
                }
                return super.put(key, value);
            }
        };
        try (Reader in = Files.newBufferedReader(path)) {
            properties.load(in);
        } catch (NoSuchFileException e) {
            throw new ParameterException(command, "%s: there is no file %s".formatted(OPTION, path), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(
                    command, "%s %s: it is no readable properties file: %s".formatted(OPTION, path, e.getMessage()), e);
        }
        return new ConfigFile(path, entries);
    }

    /** What it says as arguments, leaving out options that are given already. */
    List<String> arguments(CommandLine command, Predicate<OptionSpec> given) {
        List<String> arguments = new ArrayList<>();
        entries.forEach((key, value) -> {
            OptionSpec option = option(command, key);
            if (!given.test(option)) {
                String part = key.substring(name(option).length());
                boolean keyed = Map.class.isAssignableFrom(option.type()) && !part.isEmpty();
                arguments.add(option.longestName() + "=" + (keyed ? part.substring(1) + "=" : "") + value);
            }
        });
        return arguments;
    }

    /** Where an option is set: FILE:LINE; empty if it is not. */
    String place(OptionSpec option) {
        return entries.keySet().stream()
                .filter(key -> isOf(option, key))
                .findFirst()
                .map(key -> path + ":" + line(key))
                .orElse("");
    }

    private OptionSpec option(CommandLine command, String key) {
        List<OptionSpec> options = settable(command.getCommandSpec()).toList();
        return options.stream()
                .filter(option -> isOf(option, key))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        command,
                        "%s:%d: '%s' is no option of %s; the nearest is '%s'"
                                .formatted(
                                        path,
                                        line(key),
                                        key,
                                        command.getCommandSpec().qualifiedName(),
                                        nearest(key, options))));
    }

    /** The options that a file may set. */
    static Stream<OptionSpec> settable(CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.usageHelp()
                        && !option.versionHelp()
                        && !option.longestName().equals(OPTION));
    }

    private static boolean isOf(OptionSpec option, String key) {
        return key.equals(name(option)) || (option.isMultiValue() && key.startsWith(name(option) + "."));
    }

    private static String name(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }

    private static String nearest(String key, List<OptionSpec> options) {
        return options.stream()
                .map(ConfigFile::name)
                .min(Comparator.comparingInt(name -> distance(key, name)))
                .orElse("none");
    }

    /** Characters to be put in, taken out or replaced. */
    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[right.length()];
    }

    private int line(String key) {
        try {
            List<String> lines = Files.readAllLines(path);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).strip().split("[=:\\s]", 2)[0].equals(key)) {
                    return i + 1;
                }
            }
            return 1;
        } catch (IOException e) {
            return 1;
        }
    }
}
