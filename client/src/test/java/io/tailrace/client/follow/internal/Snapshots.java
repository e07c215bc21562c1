package io.tailrace.client.follow.internal;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Snapshots of real segments, and bringing them to a lane as its loader does. */
public final class Snapshots {
    private Snapshots() {}

    /**
     * A snapshot with one newest segment.
     *
     * @param closed runs when its last reader is done
     */
    public static LoadedSnapshot of(
            long version, ServedLane lane, SegmentIdentity identity, int[] text, Path folder, Runnable closed) {
        try {
            Compaction.Input input = new Compaction.Input(new GenerationEntry(0, version, "p", version), text);
            Path file =
                    Compaction.flush(List.of(input), identity, folder).files().segment();
            Segment segment = Segment.reopen(file, identity);
            return new LoadedSnapshot(
                    version, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, lane.freshIndex()), () -> {
                        segment.close();
                        closed.run();
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An operator deletes an answer, and what the worker made of it. */
    public static void deleteRequest(ServedLane lane, String requestId, long issuedAtMillis) {
        lane.command(Control.newBuilder()
                .setCommandId("c-" + requestId)
                .setCommand(Command.DELETE_REQUEST)
                .setScope(lane.lane().scope())
                .setRequestId(requestId)
                .setIssuer("test")
                .setIssuedAt(Instant.ofEpochMilli(issuedAtMillis))
                .build());
    }

    /** Makes it live. */
    public static void serve(ServedLane lane, LoadedSnapshot snapshot) {
        lane.serve(snapshot, 0);
    }
}
