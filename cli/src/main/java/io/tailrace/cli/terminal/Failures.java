package io.tailrace.cli.terminal;

import io.tailrace.worker.model.ModelLoadException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** What people read when a command does not come to its end. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** Says what is wrong in one line and returns the exit code; the rest is in the log file. */
    public static int handle(Exception failure, CommandLine command, ParseResult arguments) {
        command.getErr().println("tailrace: " + message(failure));
        if (failure instanceof BadInputException
                || failure instanceof ModelLoadException
                || failure instanceof NoSuchFileException) {
            return ExitCodes.BAD_INPUT;
        }
        command.getErr().println("tailrace: details are in .tailrace/tailrace.log");
        LOG.info("command {} failed", arguments.commandSpec().qualifiedName(), failure);
        return ExitCodes.FELL_SHORT;
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
