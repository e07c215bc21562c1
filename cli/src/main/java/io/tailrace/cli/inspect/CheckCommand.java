package io.tailrace.cli.inspect;

import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.segment.Sidecar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** Verifies segments, and the sidecars beside them. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Verifies every byte, the order's invariants, and the sidecar if there is one beside the file.")
final class CheckCommand extends SegmentCommand {
    @Override
    NamedValues answer(Path file, Segment segment) throws IOException {
        segment.checkInvariants();
        SegmentSummary summary = segment.summary();
        NamedValues answer =
                new NamedValues().add("file", file).add("intact", true).add("sha256", summary.sha256());
        Path sidecar = file.resolveSibling(summary.sha256() + ".sidecar");
        boolean beside = Files.exists(sidecar);
        if (beside) {
            Sidecar.readFor(segment, sidecar);
        }
        return answer.add("sidecar", beside ? "intact" : "none");
    }
}
