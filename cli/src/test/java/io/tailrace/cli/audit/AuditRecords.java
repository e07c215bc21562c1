package io.tailrace.cli.audit;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What an audit reads, as the job and operators write it. */
final class AuditRecords {
    private AuditRecords() {}

    /** A version of the job of epoch 1. */
    static SnapshotManifest manifest(LaneId lane, long version, SegmentReference... segments) {
        return SnapshotManifest.newBuilder()
                .setLane(lane.toLane())
                .setVersion(version)
                .setParentVersion(0)
                .setCreatedAt(Instant.EPOCH)
                .setCause(AnnouncementCause.CADENCE)
                .setVocabularySize(200)
                .setTokenizerFingerprint("t")
                .setSegments(List.of(segments))
                .setPolicy(new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 0L, Instant.EPOCH, 0L))
                .setStatistics(new LaneStatistics(0L, 0L, 0L, 0L, 0L))
                .setCompletionTimesAdded(List.of())
                .setSourceOffsets(List.of())
                .setEpoch(1)
                .build();
    }

    /** @param lane null: the admission's account */
    static byte[] account(LaneId lane, long epoch, Map<String, Long> numbers) {
        return event(EventKind.ACCOUNTING, lane, epoch, numbers);
    }

    /** That deletes are done. */
    static byte[] deleted(LaneId lane, long issuedTo) {
        return event(EventKind.DELETED, lane, 1, Map.of("issuedTo", issuedTo));
    }

    private static byte[] event(EventKind kind, LaneId lane, long epoch, Map<String, Long> numbers) {
        return RecordCodec.EVENT.encode(new Event(
                kind, lane == null ? null : lane.toLane(), "a test", numbers, Instant.EPOCH, null, null, null, epoch));
    }

    /** A job's, for the next epoch. */
    static byte[] claim(String id) {
        return RecordCodec.CONTROL.encode(Control.newBuilder()
                .setCommandId(id)
                .setCommand(Command.CLAIM)
                .setIssuer("a job")
                .setIssuedAt(Instant.EPOCH)
                .build());
    }

    /** Of a scope, by command c. */
    static byte[] delete(String scope, long issuedAt) {
        return RecordCodec.CONTROL.encode(new Control(
                "c",
                Command.DELETE_SCOPE,
                null,
                null,
                scope,
                null,
                null,
                "me",
                Instant.ofEpochMilli(issuedAt),
                null,
                false));
    }
}
