package io.tailrace.lab.replay.report;

import io.tailrace.cli.terminal.BadInputException;
import io.tailrace.jobs.options.Bounds;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayProtocol.Counting;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How to replay. */
@Command(optionListHeading = "Protocol")
final class ProtocolArguments {
    @Option(
            names = "--count",
            defaultValue = "all",
            paramLabel = "all|second-half",
            description = "Which requests of each stream are counted; all are replayed. Default: ${DEFAULT-VALUE}.")
    private String count;

    @Bounds(min = 1)
    @Option(
            names = "--flush",
            hidden = true,
            defaultValue = "1",
            paramLabel = "N",
            description = "Finished responses enter the index N at a time. Default: ${DEFAULT-VALUE}.")
    private int flush;

    @Bounds(min = 0)
    @Option(
            names = "--lag",
            hidden = true,
            defaultValue = "0",
            paramLabel = "N",
            description = "A finished response is held up until N further requests have finished. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int lag;

    @Bounds(min = 1)
    @Option(
            names = "--workers",
            defaultValue = "1",
            paramLabel = "N",
            description = "Workers that the requests are dealt to in turn. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @ArgGroup
    private SharingArguments sharing = new SharingArguments();

    private static final class SharingArguments {
        @Option(
                names = "--shared",
                description = "Workers draft from each other's responses, and from their own at once whatever --flush"
                        + " and --lag say. The default.")
        private boolean shared;

        @Option(names = "--silo", description = "Each worker drafts from its own responses only.")
        private boolean silo;
    }

    ReplayProtocol protocol(List<int[]> warm) {
        return ReplayProtocol.online()
                .counting(counting())
                .delayed(flush, lag)
                .dealt(workers, sharing.shared || !sharing.silo ? Sharing.SHARED : Sharing.SILO)
                .warmed(warm);
    }

    private Counting counting() {
        return switch (count) {
            case "all" -> Counting.ALL;
            case "second-half" -> Counting.SECOND_HALF;
            default -> throw new BadInputException("--count must be all or second-half, got " + count);
        };
    }
}
