package io.tailrace.cli;

import io.tailrace.cli.terminal.ExitCodes;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace options}: prints the reference of options. */
@Command(
        name = "options",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Prints the reference of every command's options as Markdown.")
final class OptionsCommand implements Callable<Integer> {
    @Option(names = "--counts", description = "Instead: how many options each command shows, of how many.")
    private boolean counts;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (counts) {
            OptionsPage.counts().forEach(out::println);
        } else {
            out.print(OptionsPage.text());
        }
        out.flush();
        return ExitCodes.DONE;
    }
}
