package io.tailrace.cli.snapshots;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.KeyOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives a command to a lane and waits until its live workers obey. */
final class Commanding {
    @Option(
            names = "--issuer",
            hidden = true,
            paramLabel = "NAME",
            description = "Who asks, for the record. Default: the user's name.")
    private String issuer = System.getProperty("user.name", "operator");

    @Bounds(min = 0)
    @Option(
            names = "--wait-seconds",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description =
                    "How long pin, rollback and delete wait until they have taken effect; 0: not at all. unpin and propose do not wait. Default: ${DEFAULT-VALUE}.")
    private int waitSeconds;

    @Mixin
    private KeyOptions.Signing signing = new KeyOptions.Signing();

    /** A command for the lane. */
    Control command(LaneId lane, Command command, Long version, Policy policy, boolean force) {
        return new Control(
                UUID.randomUUID().toString(),
                command,
                lane.model(),
                lane.revision(),
                lane.scope(),
                version,
                null,
                issuer,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                policy,
                force);
    }

    /** A delete of a scope, or of a request in it; no model: of every one. */
    Control delete(String model, String revision, String scope, String requestId) {
        return new Control(
                UUID.randomUUID().toString(),
                requestId == null ? Command.DELETE_SCOPE : Command.DELETE_REQUEST,
                model,
                revision,
                scope,
                null,
                requestId,
                issuer,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                null,
                false);
    }

    /** What signs the command; empty: nothing. */
    Optional<RecordSigner> signer(KeyOptions.Trusted trusted) {
        return GivenKeys.signer(signing, trusted);
    }

    Duration patience() {
        return Duration.ofSeconds(waitSeconds);
    }

    /** Gives a command that names a version, which must be announced. */
    int giveVersion(LaneTopics.Options lane, Command command, VersionName name, PrintWriter out) {
        Optional<RecordSigner> signer = signer(lane.trusted());
        try (LaneTopics topics = lane.open()) {
            topics.read();
            long version = topics.version(name).getVersion();
            return give(topics, command(topics.lane(), command, version, null, false), signer, out);
        }
    }

    /** Gives a command that needs no version. */
    int give(LaneTopics.Options lane, Command command, Policy policy, boolean force, PrintWriter out) {
        Optional<RecordSigner> signer = signer(lane.trusted());
        try (LaneTopics topics = lane.open()) {
            return give(topics, command(topics.lane(), command, null, policy, force), signer, out);
        }
    }

    /** Sends it; exit code 1 if a live worker has not gone to the version in time. */
    private int give(LaneTopics topics, Control command, Optional<RecordSigner> signer, PrintWriter out) {
        Duration patience = patience();
        long taken = topics.send(command, signer);
        out.println("command %s: %s%s for lane %s"
                .formatted(
                        command.getCommandId(),
                        command.getCommand(),
                        command.getVersion() == null ? "" : " to version " + command.getVersion(),
                        topics.lane()));
        out.flush();
        if (command.getVersion() == null || patience.isZero()) {
            return ExitCodes.DONE;
        }
        return await(topics, command, taken, out) ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
    }

    private boolean await(LaneTopics topics, Control command, long taken, PrintWriter out) {
        long issuedAt = command.getIssuedAt().toEpochMilli();
        long deadline = System.nanoTime() + Duration.ofSeconds(waitSeconds).toNanos();
        List<WorkerStatus> behind = behind(topics, command, taken);
        while (!behind.isEmpty() && System.nanoTime() < deadline) {
            topics.follow(Duration.ofMillis(100));
            behind = behind(topics, command, taken);
        }
        long workers = topics.liveWorkers(System.currentTimeMillis()).size();
        for (WorkerStatus status : behind) {
            out.println("worker %s serves version %d, as far as it has reported"
                    .formatted(status.getWorker(), status.getLoadedVersion()));
        }
        out.println("%d of %d live workers have followed after %,d ms"
                .formatted(workers - behind.size(), workers, System.currentTimeMillis() - issuedAt));
        out.flush();
        return behind.isEmpty();
    }

    /** What a worker said before the command was taken says nothing of whether it follows: it may have served that version and left it. */
    private static List<WorkerStatus> behind(LaneTopics topics, Control command, long taken) {
        return topics.liveWorkers(System.currentTimeMillis()).stream()
                .filter(status ->
                        !topics.hasReportedSince(status.getWorker(), taken) || !obeys(status, topics, command))
                .toList();
    }

    /** On the version, or on the job's announcement of the state that was rolled back to. */
    private static boolean obeys(WorkerStatus status, LaneTopics topics, Control command) {
        if (status.getLoadedVersion() == command.getVersion()) {
            return true;
        }
        SnapshotManifest loaded = topics.versions().get(status.getLoadedVersion());
        return command.getCommand() == Command.ROLLBACK
                && loaded != null
                && topics.versions().subMap(command.getVersion(), false, loaded.getVersion(), true).values().stream()
                        .anyMatch(manifest -> manifest.getCause() == AnnouncementCause.ROLLBACK
                                && !manifest.getCreatedAt().isBefore(command.getIssuedAt()));
    }
}
