package io.tailrace.cli.fleet;

import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace events}: what the job tells its operators. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Prints what the job has told: trials and their ends, drift alarms, commands obeyed, what was lost.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace events --bootstrap localhost:9092 --follow")
public final class EventsCommand implements Callable<Integer> {
    @Mixin
    private Tail tail = new Tail();

    @Option(names = "--accounts", description = "The accounts, too, which the job tells up to once a second.")
    private boolean accounts;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        tail.print(
                Topic.EVENTS,
                value -> HeardEvent.of(RecordCodec.EVENT.decode(value)),
                event -> accounts || !event.isAccount(),
                spec.commandLine());
        return ExitCodes.DONE;
    }
}
