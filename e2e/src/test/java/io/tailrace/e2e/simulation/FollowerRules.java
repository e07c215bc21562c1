package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one worker has heard from its topics, and which versions it may serve by that. */
final class FollowerRules {
    /** So long a withdrawn version may be served. */
    private static final long WITHDRAWN_MILLIS_MAX = 2_000;

    private final World world;
    private final Map<String, Lane> lanes = new HashMap<>();
    private long controlTo;
    private long snapshotsTo;

    /** A lane as this worker has heard of it. */
    private static final class Lane {
        final AnnouncedVersions versions = new AnnouncedVersions();
        final Map<Long, Long> withdrawnAt = new HashMap<>();
        /** By the command's id. */
        final Map<String, Control> rollbacks = new HashMap<>();
        /** The first version by which the job obeyed a rollback, by the command's id. */
        final Map<String, SnapshotManifest> answers = new HashMap<>();

        Control last;
        long live;

        /** The version that an operator holds; null: none, or one that is not there. */
        SnapshotManifest held() {
            boolean holds = last != null
                    && last.getCommand() != Command.UNPIN
                    && !(last.getCommand() == Command.ROLLBACK && answers.containsKey(last.getCommandId()));
            return holds ? versions.counting().get(last.getVersion()) : null;
        }

        /** The rollback that has taken a version back; null: none. */
        Control takenBackBy(SnapshotManifest version) {
            return rollbacks.values().stream()
                    .filter(rollback -> isTakenBack(version, rollback))
                    .findFirst()
                    .orElse(null);
        }

        private boolean isTakenBack(SnapshotManifest version, Control rollback) {
            SnapshotManifest answer = answers.get(rollback.getCommandId());
            return answer != null
                    && version.getVersion() > rollback.getVersion()
                    && version.getVersion() < answer.getVersion()
                    && version.getEpoch() <= answer.getEpoch();
        }
    }

    FollowerRules(World world) {
        this.world = world;
        World.SCOPES.forEach(scope -> lanes.put(World.lane(scope), new Lane()));
    }

    /** The worker has read these; what it reads again says nothing. */
    void heard(Map<String, List<Written>> polled) {
        for (Written record : polled.getOrDefault("control", List.of())) {
            if (record.offset() >= controlTo && !record.forged()) {
                command(record);
            }
            controlTo = Math.max(controlTo, record.offset() + 1);
        }
        for (Written record : polled.getOrDefault("snapshots", List.of())) {
            if (record.offset() >= snapshotsTo && !record.forged()) {
                snapshot(record);
            }
            snapshotsTo = Math.max(snapshotsTo, record.offset() + 1);
        }
    }

    private void command(Written record) {
        Control control = control(record);
        switch (control.getCommand()) {
            case PIN, UNPIN -> lane(control).last = control;
            case ROLLBACK -> {
                lane(control).last = control;
                lane(control).rollbacks.put(control.getCommandId(), control);
            }
            default -> {
                // Chooses no version.
            }
        }
    }

    private Lane lane(Control control) {
        return lanes.get(World.lane(control.getScope()));
    }

    private static Control control(Written record) {
        try {
            return RecordCodec.CONTROL.decode(record.value());
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException(e);
        }
    }

    private void snapshot(Written record) {
        int hash = record.key().indexOf('#');
        Lane lane = lanes.get(record.key().substring(0, hash));
        long version = Long.parseLong(record.key().substring(hash + 1));
        if (record.value() == null) {
            lane.versions.withdraw(version);
            lane.withdrawnAt.put(version, world.now());
            return;
        }
        SnapshotManifest manifest = world.truth.manifest(record.value());
        lane.withdrawnAt.remove(version);
        if (lane.versions.announce(manifest) && manifest.getRolledBackBy() != null) {
            lane.answers.putIfAbsent(manifest.getRolledBackBy(), manifest);
        }
    }

    /** This is what it serves, after whatever it did. */
    void check(Map<String, Long> live) {
        live.forEach((name, version) -> {
            Lane lane = lanes.get(name);
            if (version != lane.live) {
                world.tell("the worker serves version %d of lane %s", version, name);
                if (version != 0) {
                    checkTaken(name, lane, version);
                }
            }
            lane.live = version;
        });
    }

    private void checkTaken(String name, Lane lane, long version) {
        if (world.announcements.writer(name, version) == null) {
            throw broken("the worker serves version %d of lane %s, which no job has announced", version, name);
        }
        SnapshotManifest manifest = lane.versions.counting().get(version);
        if (manifest == null) {
            manifest = countingAfterReread(name).get(version);
        }
        if (manifest == null) {
            throw broken(
                    "the worker begins to serve version %d of lane %s, which is withdrawn or does not count",
                    version, name);
        }
        SnapshotManifest held = lane.held();
        boolean stands = held != null && world.truth.standing(name).containsKey(held.getVersion());
        if (stands && held.getVersion() != version) {
            throw broken(
                    "the worker begins to serve version %d of lane %s while %s holds %d",
                    version, name, lane.last.getCommandId(), held.getVersion());
        }
        boolean isHeld = held != null
                && held.getVersion() == version; // perhaps withdrawn since, and the worker is yet to hear of it
        Control takenBackBy = isHeld ? null : lane.takenBackBy(manifest);
        if (takenBackBy != null) {
            throw broken(
                    "the worker begins to serve version %d of lane %s, which %s to %d has taken back with %d",
                    version,
                    name,
                    takenBackBy.getCommandId(),
                    takenBackBy.getVersion(),
                    lane.answers.get(takenBackBy.getCommandId()).getVersion());
        }
    }

    /**
     * What counts by all that was written to where the worker has read. A worker that was cut off for longer than Kafka keeps a withdrawal hears of it by
     * reading the topic again; then what the withdrawn version had superseded counts.
     */
    private Map<Long, SnapshotManifest> countingAfterReread(String name) {
        AnnouncedVersions versions = new AnnouncedVersions();
        world.truth.standing(name, snapshotsTo).values().forEach(versions::announce);
        return versions.counting();
    }

    /** The worker has just looked at the time. */
    void checkTime() {
        lanes.forEach((name, lane) -> {
            Long withdrawnAt = lane.withdrawnAt.get(lane.live);
            if (withdrawnAt != null && world.now() - withdrawnAt >= WITHDRAWN_MILLIS_MAX) {
                throw broken(
                        "the worker serves version %d of lane %s %d ms after it heard that it is withdrawn",
                        lane.live, name, world.now() - withdrawnAt);
            }
        });
    }

    /**
     * When all is well and has been for long: what an operator holds, or the newest.
     *
     * @param failures of loads, by lane
     */
    void checkAtRest(Map<String, String> failures) {
        for (String scope : World.SCOPES) {
            String name = World.lane(scope);
            AnnouncedVersions versions = new AnnouncedVersions();
            Map<Long, SnapshotManifest> standing = world.truth.standing(name);
            standing.values().forEach(versions::announce);
            Control last = lastCommand(scope);
            boolean held = last != null && last.getCommand() == Command.PIN && standing.containsKey(last.getVersion());
            long newest =
                    versions.counting().isEmpty() ? 0 : versions.counting().lastKey();
            long due = held ? last.getVersion() : newest;
            if (lanes.get(name).live != due) {
                throw broken(
                        "the worker serves version %d of lane %s at rest, and not %d; the last load that failed: %s",
                        lanes.get(name).live, name, due, failures.get(name));
            }
        }
    }

    private Control lastCommand(String scope) {
        Control last = null;
        for (Written record : world.control.history()) {
            Control control = record.forged() ? null : control(record);
            boolean chooses = control != null
                    && switch (control.getCommand()) {
                        case PIN, UNPIN, ROLLBACK -> control.getScope().equals(scope);
                        default -> false;
                    };
            last = chooses ? control : last;
        }
        return last;
    }
}
