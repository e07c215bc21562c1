package io.tailrace.cli.fleet;

import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tailrace rejections}: which generations were refused, and why. */
@Command(
        name = "rejections",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Prints which generations were refused, and why.",
        footerHeading = "%nExample:%n",
        footer = "  tailrace rejections --bootstrap localhost:9092 --follow")
public final class RejectionsCommand implements Callable<Integer> {
    @Mixin
    private Tail tail = new Tail();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        tail.print(
                Topic.REJECTIONS,
                value -> HeardRejection.of(RecordCodec.REJECTION.decode(value)),
                rejection -> true,
                spec.commandLine());
        return ExitCodes.DONE;
    }
}
