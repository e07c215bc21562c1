package io.tailrace.cli;

import io.tailrace.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** {@code tailrace man-pages}: writes a manual page for each command, made from the commands themselves. */
@Command(
        name = "man-pages",
        mixinStandardHelpOptions = true,
        description = "Writes a manual page for each command, in AsciiDoc.",
        footerHeading = "%nExample:%n",
        footer = {
            "  tailrace man-pages man && asciidoctor -b manpage man/*.adoc && man man/tailrace-worker.1",
        })
final class ManPages implements Callable<Integer> {
    private static final boolean[] QUIET = {};
    /** A synopsis stays on one line: AsciiDoc takes a line that is all in brackets for attributes, and drops it. */
    private static final int WIDTH = 10_000;

    @Parameters(paramLabel = "FOLDER", description = "Where to; made if it is not there.")
    private Path folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(folder);
        ManPageGenerator.generateManPage(
                folder.toFile(),
                null,
                QUIET,
                false,
                Tailrace.commandLine().setUsageHelpWidth(WIDTH).getCommandSpec());
        spec.commandLine()
                .getOut()
                .println("asciidoctor -b manpage %s/*.adoc makes them pages for man".formatted(folder));
        return ExitCodes.DONE;
    }
}
