package io.tailrace.cli.snapshots;

import io.tailrace.terminal.KeyOptions;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** How the command line gives commands: as its user's. */
final class UserCommanding extends Commanding {
    @Option(
            names = "--issuer",
            hidden = true,
            paramLabel = "NAME",
            description = "Who asks, for the record. Default: the user's name.")
    private String issuer = System.getProperty("user.name", "operator");

    Commander commander(Supplier<LoopTopics> topics, KeyOptions.Trusted trusted) {
        return commander(topics, trusted, issuer);
    }

    Commander commander(LaneTopics.Options lane) {
        return commander(lane.topics(), lane.trusted());
    }

    /** Prints a line at once. */
    static Consumer<String> printing(PrintWriter out) {
        return line -> {
            out.println(line);
            out.flush();
        };
    }
}
