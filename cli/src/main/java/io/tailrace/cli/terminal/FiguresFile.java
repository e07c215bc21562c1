package io.tailrace.cli.terminal;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command's figures go for programs, if anywhere. */
public final class FiguresFile {
    @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
    private Path file;

    /** Refuses a file that could not be written later. */
    public void check() {
        JsonFile.check(file);
    }

    /** Whether somebody wants them. */
    public boolean isWanted() {
        return file != null;
    }

    /** Writes the figures where they are wanted. */
    public void write(Object figures) throws IOException {
        JsonFile.write(file, figures);
    }
}
