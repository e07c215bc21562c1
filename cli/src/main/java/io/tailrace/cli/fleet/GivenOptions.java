package io.tailrace.cli.fleet;

import io.tailrace.cli.terminal.BadInputException;
import java.util.List;
import picocli.CommandLine.ParseResult;

/**
 * The options that a command was given. One that would do nothing is refused: whoever gave it means something that would not happen.
 *
 * @param parsed the command line
 */
public record GivenOptions(ParseResult parsed) {
    public boolean has(String option) {
        return parsed.hasMatchedOption(option);
    }

    /** Refuses the first of these that was given, for a reason that goes on after its name. */
    public void refuse(String why, String... options) {
        refuse(why, List.of(options));
    }

    public void refuse(String why, List<String> options) {
        for (String option : options) {
            if (has(option)) {
                throw new BadInputException(option + " " + why);
            }
        }
    }
}
