package io.tailrace.cli.inspect;

import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the subcommands share: each file is opened with every byte checked, and one refused file does not stop the rest. */
abstract class SegmentCommand implements Callable<Integer> {
    static final int OK = 0;
    static final int REFUSED = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Segment files.")
    private List<Path> files;

    @Option(names = "--json", description = "One JSON object a line, for programs.")
    private boolean json;

    /** What to say about an intact segment. */
    abstract NamedValues answer(Path file, Segment segment) throws IOException;

    @Override
    public Integer call() {
        check();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        int code = OK;
        for (Path file : files) {
            try (Segment segment = Segment.inspect(file)) {
                NamedValues answer = answer(file, segment);
                out.print(json ? answer.json() : answer.text());
            } catch (IOException | UncheckedIOException e) {
                code = REFUSED;
                String reason = e instanceof NoSuchFileException ? file + ": no such file" : e.getMessage();
                if (json) {
                    out.print(new NamedValues()
                            .add("file", file)
                            .add("error", reason)
                            .json());
                } else {
                    err.println(reason);
                }
            }
        }
        out.flush();
        err.flush();
        return code;
    }

    /** Checks the options before any file is opened. */
    void check() {}

    CommandSpec spec() {
        return spec;
    }
}
