package io.tailrace.e2e.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a page tells its readers to type: the lines of its blocks of shell, in their order.
 *
 * <pre>{@code
 * PageCommands.of("docs/how-to/restore.md").commands(); // "./tailrace audit --bootstrap 127.0.0.1:9092 ..."
 * }</pre>
 */
public final class PageCommands {
    /** What a comment in a block may ask for: to end what runs in the other terminal, the job's unless it names another. */
    public static final String CTRL_C = "Ctrl-C";

    private static final Pattern ELSEWHERE = Pattern.compile("# " + CTRL_C + " in the (?!job)(\\w+)'s terminal.*");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");

    private final String page;
    private final String text;

    private PageCommands(String page, String text) {
        this.page = page;
        this.text = text;
    }

    /** Those of a page of the repository. */
    public static PageCommands of(String page) {
        return new PageCommands(page, RepositoryFiles.text(page));
    }

    /** Its last block that begins with that command. */
    public PageCommands from(String first) {
        return BLOCK.matcher(text)
                .results()
                .map(block -> new PageCommands(page, block.group()))
                .filter(block -> block.commands().stream()
                        .findFirst()
                        .filter(first::equals)
                        .isPresent())
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new IllegalStateException(page + " has no block that begins with " + first));
    }

    /** Those of one of its sections. */
    public PageCommands in(String heading) {
        return new PageCommands(page + " " + heading, section(heading));
    }

    /** The lines of all blocks; one that ends with a backslash goes on in the next. Comments are left out. */
    public List<String> commands() {
        List<String> commands = new ArrayList<>();
        BLOCK.matcher(text)
                .results()
                .forEach(block -> block.group(1)
                        .replace("\\\n", " ")
                        .lines()
                        .map(PageCommands::command)
                        .filter(line -> !line.isEmpty())
                        .forEach(commands::add));
        return commands;
    }

    private static String command(String line) {
        if (line.startsWith("# " + CTRL_C)) {
            Matcher elsewhere = ELSEWHERE.matcher(line);
            return elsewhere.matches() ? CTRL_C + " " + elsewhere.group(1) : CTRL_C;
        }
        return line.replaceAll("(^|\\s)#.*", "").strip();
    }

    /** Words of a command, up to where its output goes elsewhere. */
    public static List<String> words(String command) {
        return Stream.of(command.split("\\s+[|>]", 2)[0].split("\\s+", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Text of a section, from its heading to the next one that is not deeper. */
    String section(String heading) {
        String marks = heading.substring(0, heading.indexOf(' '));
        Matcher found = Pattern.compile("(?ms)^" + Pattern.quote(heading) + "$(.*?)(?=^#{1," + marks.length() + "} (?!"
                        + CTRL_C + ")|\\z)")
                .matcher(text);
        if (!found.find()) {
            throw new AssertionError(page + " has no section '" + heading + "'");
        }
        if (found.group(1).lines().filter(line -> line.startsWith("```")).count() % 2 != 0) {
            throw new AssertionError(page + ": a comment in a block of '" + heading + "' begins like a heading");
        }
        return found.group(1);
    }

    /** Titles of the headings that begin so. */
    List<String> headings(String marks) {
        return text.lines()
                .filter(line -> line.startsWith(marks))
                .map(line -> line.substring(marks.length()))
                .toList();
    }
}
