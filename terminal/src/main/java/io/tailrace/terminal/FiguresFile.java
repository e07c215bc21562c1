package io.tailrace.terminal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Where a command's figures go for programs, if anywhere. */
public final class FiguresFile {
    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path file;

    private String commit;

    /** Refuses a file that could not be written later, and notes the commit: what runs is not what is checked out hours later. */
    public void check() throws IOException {
        JsonFile.check(file);
        commit();
    }

    /** Whether somebody wants them. */
    public boolean isWanted() {
        return file != null;
    }

    /** Machine and commit, for people. */
    public String where() throws IOException {
        return Machine.describe() + "; commit " + commit();
    }

    /** The figures of a benchmark, to go on with: machine and commit. */
    public Map<String, Object> begin() throws IOException {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("machine", Machine.describe());
        figures.put("commit", commit());
        return figures;
    }

    /** The commit of what runs, as it was when this was first asked for, which {@link #check} does. */
    public String commit() throws IOException {
        commit = commit == null ? Machine.commit() : commit;
        return commit;
    }

    /** Writes the figures where they are wanted. */
    public void write(Object figures) throws IOException {
        JsonFile.write(file, figures);
    }
}
