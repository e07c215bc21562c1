package io.tailrace.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The launcher's commands under headings that say what one wants. A command that stands under none of them is the laboratory's. */
final class CommandList implements IHelpSectionRenderer {
    private static final String ELSE = "Laboratory";

    private static final List<Heading> HEADINGS = List.of(
            new Heading("First hour", "demo", "dev", "replay", "convert", "check"),
            new Heading("Serve", "agent", "worker", "tap", "job", "cluster", "topics"),
            new Heading(
                    "Look",
                    "console",
                    "lanes",
                    "workers",
                    "outcomes",
                    "learning",
                    "events",
                    "rejections",
                    "generation",
                    "audit",
                    "inspect"),
            new Heading("Act", "snapshots", "delete"),
            new Heading("Help", "help", "man-pages", "generate-completion"));

    private record Heading(String text, List<String> commands) {
        Heading(String text, String... commands) {
            this(text, List.of(commands));
        }
    }

    @Override
    public String render(Help help) {
        Map<String, Help> left = new LinkedHashMap<>(help.subcommands());
        StringBuilder text = new StringBuilder();
        for (Heading heading : HEADINGS) {
            Map<String, Help> below = new LinkedHashMap<>();
            for (String command : heading.commands) {
                if (left.containsKey(command)) {
                    below.put(command, left.remove(command));
                }
            }
            text.append(section(help, heading.text, below));
        }
        return text.append(section(help, ELSE, left)).toString();
    }

    private static String section(Help help, String heading, Map<String, Help> commands) {
        return commands.isEmpty()
                ? ""
                : String.format("%n%s%n", help.colorScheme().ansi().string("@|bold " + heading + ":|@"))
                        + help.commandList(commands);
    }
}
