package io.tailrace.lab.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a process's log, for the message that says why it did not do what it should. */
public final class LogTail {
    private static final int LINES = 15;

    private LogTail() {}

    /** Its last lines. */
    public static String of(Path log) throws IOException {
        // An engine may be killed within a character.
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
