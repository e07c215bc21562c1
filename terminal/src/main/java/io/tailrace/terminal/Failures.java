package io.tailrace.terminal;

import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What people read when a command does not come to its end. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /**
     * Says what is wrong in one line and returns the exit code; the rest is in the log file.
     *
     * @param badInput further exceptions that tell of bad input
     */
    public static IExecutionExceptionHandler handler(Set<Class<? extends Exception>> badInput) {
        return (failure, command, arguments) -> handle(failure, command, arguments, badInput);
    }

    private static int handle(
            Exception failure, CommandLine command, ParseResult arguments, Set<Class<? extends Exception>> badInput) {
        command.getErr().println(who() + message(failure));
        if (failure instanceof BadInputException
                || failure instanceof NoSuchFileException
                || badInput.contains(failure.getClass())) {
            return ExitCodes.BAD_INPUT;
        }
        command.getErr().println("tailrace: details are in .tailrace/tailrace.log");
        LOG.info("command {} failed", arguments.commandSpec().qualifiedName(), failure);
        return ExitCodes.FELL_SHORT;
    }

    /** Says what is wrong with the arguments, what was meant perhaps, and where help is. */
    public static int usage(ParameterException failure, String[] arguments) {
        PrintWriter err = failure.getCommandLine().getErr();
        err.println(who() + failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("See '%s --help'."
                .formatted(failure.getCommandLine().getCommandSpec().qualifiedName()));
        return ExitCodes.BAD_INPUT;
    }

    /** In red where a person reads what goes wrong; NO_COLOR is obeyed. The launcher says where that is a terminal. */
    private static String who() {
        Ansi ansi = Boolean.getBoolean("tailrace.terminal") ? Ansi.AUTO : Ansi.OFF;
        return ansi.string("@|bold,red tailrace:|@ ");
    }

    /** What went wrong, for people: of a file that is missing Java says its name only. */
    public static String message(Exception failure) {
        if (failure instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        if (failure instanceof AccessDeniedException denied) {
            return "%s may not be read or written by this user".formatted(denied.getFile());
        }
        boolean named = failure.getMessage() != null && !(failure instanceof FileSystemException);
        return named ? failure.getMessage() : failure.toString();
    }
}
