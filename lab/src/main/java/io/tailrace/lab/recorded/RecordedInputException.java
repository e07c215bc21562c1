package io.tailrace.lab.recorded;

import io.tailrace.lab.recorded.RecordedRequest.Position;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Input that cannot be replayed: which file and line, which rule, what was found, what to do. Holds no token text. */
public final class RecordedInputException extends BadInputException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_MAX = 10;

    private final String file;
    private final long line;
    private final String rule;
    private final String value;
    private final String remedy;

    RecordedInputException(Path file, long line, String rule, String value, String remedy) {
        this(file, line, rule, value, remedy, null);
    }

    public RecordedInputException(Path file, long line, String rule, String value, String remedy, Throwable cause) {
        this(new Position(file, line), rule, value, remedy, cause);
    }

    public RecordedInputException(Position position, String rule, String value, String remedy, Throwable cause) {
        super("%s: %s, got %s; %s".formatted(position, rule, value, remedy), cause);
        this.file = position.file().toString();
        this.line = position.number();
        this.rule = rule;
        this.value = value;
        this.remedy = remedy;
    }

    /** A broken rule with where it was found. */
    public static RecordedInputException at(Position position, BrokenLineException broken) {
        return new RecordedInputException(position, broken.rule(), broken.value(), broken.remedy(), broken);
    }

    /** What was open and could not be read on: damaged, cut off within its compressed stream, or no text. */
    public static RecordedInputException unreadable(Position position, IOException e) {
        if (e instanceof CharacterCodingException) {
            return at(position, BrokenLineException.notUtf8(", in the next 8 KiB"));
        }
        return new RecordedInputException(
                position, "an input is readable to its end", e.getMessage(), "copy, export or compress it again", e);
    }

    /** Who passes over bad lines and tells people of them, the first ones in full. */
    public static Consumer<RecordedInputException> reportedOn(PrintWriter err) {
        AtomicInteger told = new AtomicInteger();
        return badLine -> {
            int number = told.incrementAndGet();
            if (number <= SHOWN_MAX) {
                err.println("skipped: " + badLine.getMessage());
            } else if (number == SHOWN_MAX + 1) {
                err.println("skipped: further bad lines are not shown");
            }
        };
    }

    public String file() {
        return file;
    }

    /** Or record or row. Counts from 1; 0 if the file as a whole is wrong. */
    public long line() {
        return line;
    }

    public String rule() {
        return rule;
    }

    public String value() {
        return value;
    }

    public String remedy() {
        return remedy;
    }
}
