package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.schemas.signing.RecordSigner;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gives operators' commands on topic control and waits until they have taken effect. What becomes of a command is said line by line.
 *
 * @param topics opens the topics, for each command anew
 * @param signer what signs commands; empty: nothing
 * @param patience how long pin, rollback and delete wait; zero: not at all
 * @param issuer who asks, for the record
 */
public record Commander(Supplier<LoopTopics> topics, Optional<RecordSigner> signer, Duration patience, String issuer) {
    /** The same for somebody else. */
    public Commander by(String name) {
        return new Commander(topics, signer, patience, name);
    }

    /**
     * Gives a command that names a version, which must be announced.
     *
     * @param command PIN or ROLLBACK
     * @return false: a live worker has not gone to the version in time
     * @throws io.tailrace.terminal.BadInputException if there is no such version; nothing was given then
     */
    public boolean giveVersion(LaneId lane, Command command, VersionName name, Consumer<String> say) {
        try (LaneTopics opened = new LaneTopics(topics.get(), lane)) {
            opened.read();
            long version = opened.version(name).getVersion();
            Control control = command(lane, command, version, null, false);
            long taken = given(opened, control, say);
            return patience.isZero() || hinted(await(opened, control, taken, say), say);
        }
    }

    /** Gives a command that needs no version, UNPIN or PROPOSE_POLICY; waits for nothing. */
    public void give(LaneId lane, Command command, Policy policy, boolean force, Consumer<String> say) {
        try (LaneTopics opened = new LaneTopics(topics.get(), lane)) {
            given(opened, command(lane, command, null, policy, force), say);
        }
    }

    /**
     * Gives a delete.
     *
     * @return false: the job has not said in time that every lane concerned is rid of it
     */
    public boolean delete(Deleted what, Consumer<String> say) {
        try (LoopTopics opened = topics.get()) {
            Deletion deletion =
                    new Deletion(opened, what, at -> delete(what, at), command -> opened.send(command, signer), say);
            return hinted(deletion.give(patience), say);
        }
    }

    /** Says what may be missing where nothing has obeyed. */
    private boolean hinted(boolean obeyed, Consumer<String> say) {
        if (!obeyed && signer.isEmpty()) {
            say.accept("nothing signed the command: an installation with trusted keys ignores it; see --signing-key");
        }
        return obeyed;
    }

    private Control command(LaneId lane, Command command, Long version, Policy policy, boolean force) {
        return new Control(
                UUID.randomUUID().toString(),
                command,
                lane.model(),
                lane.revision(),
                lane.scope(),
                version,
                null,
                issuer,
                now(),
                policy,
                force);
    }

    private Control delete(Deleted what, Instant at) {
        return new Control(
                UUID.randomUUID().toString(),
                what.requestId() == null ? Command.DELETE_SCOPE : Command.DELETE_REQUEST,
                what.model(),
                what.revision(),
                what.scope(),
                null,
                what.requestId(),
                issuer,
                at,
                null,
                false);
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Sends it; returns when the brokers took it. */
    private long given(LaneTopics opened, Control command, Consumer<String> say) {
        long taken = opened.send(command, signer);
        say.accept("command %s: %s%s for lane %s"
                .formatted(
                        command.getCommandId(),
                        command.getCommand(),
                        command.getVersion() == null ? "" : " to version " + command.getVersion(),
                        opened.lane()));
        return taken;
    }

    private boolean await(LaneTopics opened, Control command, long taken, Consumer<String> say) {
        long began = System.nanoTime();
        LongSupplier brokersNow =
                () -> taken + Duration.ofNanos(System.nanoTime() - began).toMillis();
        List<WorkerStatus> behind = behind(opened, command, taken, brokersNow);
        while (!behind.isEmpty() && System.nanoTime() - began < patience.toNanos()) {
            opened.follow(Duration.ofMillis(100));
            behind = behind(opened, command, taken, brokersNow);
        }
        long now = brokersNow.getAsLong();
        long workers = opened.liveWorkers(now).size();
        for (WorkerStatus status : behind) {
            say.accept("worker %s serves version %d, as far as it has reported"
                    .formatted(status.getWorker(), status.getLoadedVersion()));
        }
        say.accept("%d of %d live workers have followed after %,d ms"
                .formatted(workers - behind.size(), workers, now - taken));
        return behind.isEmpty();
    }

    /** What a worker said before the command was taken says nothing of whether it follows: it may have served that version and left it. */
    private static List<WorkerStatus> behind(LaneTopics opened, Control command, long taken, LongSupplier brokersNow) {
        return opened.liveWorkers(brokersNow.getAsLong()).stream()
                .filter(status -> !opened.hasReportedSince(status.getWorker(), taken)
                        || !obeys(status.getLoadedVersion(), opened.versions(), command))
                .toList();
    }

    /** On the version, or on the job's announcement of the state that was rolled back to: it names the command, as those after it do. */
    static boolean obeys(long loaded, NavigableMap<Long, SnapshotManifest> versions, Control command) {
        if (loaded <= command.getVersion()) {
            return loaded == command.getVersion();
        }
        return command.getCommand() == Command.ROLLBACK
                && versions.containsKey(loaded)
                && versions.subMap(command.getVersion(), false, loaded, true).values().stream()
                        .anyMatch(manifest -> command.getCommandId().equals(manifest.getRolledBackBy()));
    }
}
