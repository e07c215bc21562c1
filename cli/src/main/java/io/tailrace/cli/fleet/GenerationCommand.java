package io.tailrace.cli.fleet;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tailrace generation}: what became of one request's answer. */
@Command(
        name = "generation",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Looks a generation up by its request id: accepted, and which versions hold it; waiting for one; rejected, and why; deleted; or unknown.",
            "It reads topic generations, which keeps a day. Exit code 1: it was not accepted."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace generation req-17 --bootstrap localhost:9092")
public final class GenerationCommand implements Callable<Integer> {
    private static final Duration MAX = Duration.ofMinutes(10);

    @Mixin
    private FleetOptions fleet = new FleetOptions();

    @Parameters(paramLabel = "ID", description = "The request id; of a worker's answer that is its 'id'.")
    private String requestId;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        try (LoopTopics topics = fleet.topics().get()) {
            GenerationLookup lookup = GenerationLookup.read(topics, requestId, MAX);
            GenerationTrace trace = lookup.trace(fleet.read(topics, Topic.SNAPSHOTS, Topic.EVENTS, Topic.CONTROL));
            print(trace, spec.commandLine().getOut());
            JsonFile.write(json, trace.json());
            return trace.isAccepted() ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
        }
    }

    private static void print(GenerationTrace trace, PrintWriter out) {
        out.println(trace.sentence());
        if (!trace.found().isEmpty()) {
            Table table = new Table("standing", "lane", "place", "producer", "completed", "tokens", "held by", "why");
            for (GenerationTrace.Found found : trace.found()) {
                table.row(
                        found.standing().name().toLowerCase(Locale.ROOT),
                        found.lane(),
                        found.place(),
                        found.producer(),
                        found.completedAt(),
                        found.tokens() < 0 ? null : Integer.valueOf(found.tokens()),
                        found.held(),
                        found.why());
            }
            table.print(out);
        }
        out.flush();
    }
}
