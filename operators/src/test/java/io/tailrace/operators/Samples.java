package io.tailrace.operators;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;

/** Records as tests need them. */
public final class Samples {
    public static final ModelCatalog.Model TOY = new ModelCatalog.Model("toy", "1", 1000, "toy-tokenizer");
    public static final ModelCatalog MODELS = new ModelCatalog(List.of(TOY));
    public static final String LANE = new LaneId("toy", "1", "acme").toString();
    public static final String OTHER_LANE = new LaneId("toy", "1", "zenith").toString();

    private Samples() {}

    public static AdmittedGeneration generation(String requestId, long completedAt, int... tokens) {
        return generation(LANE, 0, requestId, completedAt, tokens);
    }

    public static AdmittedGeneration generation(
            String lane, int shard, String requestId, long completedAt, int... tokens) {
        RequestHash hash = RequestHash.of(requestId);
        return new AdmittedGeneration(
                lane,
                shard,
                hash.high(),
                hash.low(),
                "worker-1",
                completedAt,
                completedAt,
                new int[] {7, 8, 9},
                new byte[] {4, 0, 5, 1},
                copied(tokens.length),
                tokens,
                0,
                0);
    }

    /** Every second token is copied. */
    private static byte[] copied(int tokens) {
        BitSet copied = new BitSet();
        for (int i = 0; i < tokens; i += 2) {
            copied.set(i);
        }
        return copied.toByteArray();
    }

    /** A version of lane {@link #LANE} that has no segments. */
    public static SnapshotManifest manifest(long version) {
        return new SnapshotManifest(
                LaneId.parse(LANE).toLane(),
                version,
                0L,
                Instant.EPOCH,
                AnnouncementCause.CADENCE,
                1000,
                "toy",
                List.of(),
                new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 0L, Instant.EPOCH, 0L),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(),
                null,
                null,
                null,
                0L);
    }

    /** An outcome of one step that neither drafted nor reports step times. */
    public static Outcome.Builder outcome() {
        return Outcome.newBuilder()
                .setRequestId("r")
                .setLane(LaneId.parse(LANE).toLane())
                .setWorker("w")
                .setWorkerClass("cpu")
                .setStrategy("adaptive")
                .setSnapshotVersionFirst(0)
                .setSnapshotVersionLast(0)
                .setPromptTokens(1)
                .setResponseTokens(1)
                .setSteps(1)
                .setDrafted(0)
                .setAccepted(0)
                .setBySource(List.of())
                .setStepTimes(List.of())
                .setDraftMicros(0)
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH);
    }

    public static ControlCommand deleteRequest(String commandId, String scope, String requestId, long issuedAt) {
        return command(commandId, Command.DELETE_REQUEST, scope, null, requestId, issuedAt);
    }

    public static ControlCommand deleteScope(String commandId, String scope, long issuedAt) {
        return command(commandId, Command.DELETE_SCOPE, scope, null, null, issuedAt);
    }

    public static ControlCommand command(String commandId, Command command, Long version) {
        return command(commandId, command, null, version, null, 1);
    }

    private static ControlCommand command(
            String commandId, Command command, String scope, Long version, String requestId, long issuedAt) {
        return ControlCommand.of(new Control(
                commandId,
                command,
                null,
                null,
                scope,
                version,
                requestId,
                "operator",
                Instant.ofEpochMilli(issuedAt),
                null,
                false));
    }
}
