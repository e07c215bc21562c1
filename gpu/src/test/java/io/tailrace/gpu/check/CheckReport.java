package io.tailrace.gpu.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** The device check's report, in Markdown: written line by line, so that what was measured stays if the rest fails. */
public final class CheckReport {
    private final Path file;

    public CheckReport(Path file) {
        this.file = file;
    }

    public void line(String text) throws IOException {
        System.out.println(text);
        Files.writeString(file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public void heading(String text) throws IOException {
        line("\n## " + text + "\n");
    }

    public void table(String... columns) throws IOException {
        line("| " + String.join(" | ", columns) + " |");
        line("|" + "---|".repeat(columns.length));
    }

    /** Numbers with two digits behind the point. */
    public void row(Object... cells) throws IOException {
        StringBuilder text = new StringBuilder("|");
        for (Object cell : cells) {
            text.append(
                    cell instanceof Double number ? String.format(Locale.ROOT, " %,.2f |", number) : " " + cell + " |");
        }
        line(text.toString());
    }
}
