package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.Compaction.Input;
import io.tailrace.suffix.segment.Compaction.Result;
import io.tailrace.suffix.segment.GenerationEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Manifests, commands and segment files as the job would write them. */
final class Manifests {
    static final ServedModel MODEL = new ServedModel("m", "1", 100, "tok");
    static final LaneId LANE = MODEL.lane("s");

    private Manifests() {}

    static SnapshotManifest manifest(long version, long... completionTimes) {
        return SnapshotManifest.newBuilder()
                .setLane(LANE.toLane())
                .setVersion(version)
                .setParentVersion(0)
                .setCreatedAt(Instant.ofEpochMilli(version))
                .setCause(AnnouncementCause.CADENCE)
                .setVocabularySize(MODEL.vocabularySize())
                .setTokenizerFingerprint(MODEL.tokenizerFingerprint())
                .setSegments(List.of())
                .setPolicy(new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 0L, Instant.EPOCH, 0L))
                .setStatistics(new LaneStatistics(0L, 0L, 0L, 0L, 0L))
                .setCompletionTimesAdded(Arrays.stream(completionTimes)
                        .mapToObj(Instant::ofEpochMilli)
                        .toList())
                .setSourceOffsets(List.of())
                .build();
    }

    /** The first version by which the job obeys a rollback. */
    static SnapshotManifest answer(Control rollback, long version) {
        SnapshotManifest manifest = manifest(version);
        manifest.setCause(AnnouncementCause.ROLLBACK);
        manifest.setRolledBackBy(rollback.getCommandId());
        return manifest;
    }

    static SnapshotManifest manifestOf(long version, SegmentReference... segments) {
        SnapshotManifest manifest = manifest(version);
        manifest.setSegments(List.of(segments));
        return manifest;
    }

    static Control control(Command command, Long version, long issuedAtMillis) {
        return Control.newBuilder()
                .setCommandId("c-" + issuedAtMillis)
                .setCommand(command)
                .setScope(LANE.scope())
                .setVersion(version)
                .setIssuer("test")
                .setIssuedAt(Instant.ofEpochMilli(issuedAtMillis))
                .build();
    }

    /** Writes a real segment into a store's folder. */
    static SegmentReference segment(Path store, SegmentRole role, int... tokens) throws IOException {
        return segment(store, role, MODEL, tokens);
    }

    static SegmentReference segment(Path store, SegmentRole role, ServedModel model, int... tokens) throws IOException {
        Result result = Compaction.flush(
                List.of(new Input(new GenerationEntry(1, 2, "p", 1_000), tokens)), model.identity(LANE), store);
        return new SegmentReference(
                store.relativize(result.files().segment()).toString(),
                result.summary().sha256(),
                result.summary().sizeBytes(),
                role,
                result.summary().documents(),
                result.summary().textTokens(),
                result.summary().liveTokens(),
                Instant.ofEpochMilli(result.summary().newestCompletedAtMillis()));
    }
}
