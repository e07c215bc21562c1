package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Somebody, or a tool that is broken, who may write to the topics and has no key that anybody trusts. */
final class Intruder {
    /** How the ids of its commands begin. */
    static final String NAME = "forged-";

    /** Ahead of what any job announces by then, and not so far that readers refuse it for that. */
    private static final int AHEAD_MILLIS = 3_000_000;

    /** Further than clocks may be apart. */
    private static final long FAR_MILLIS = Duration.ofDays(1).toMillis();

    private static final List<String> KEYS_OF_NOTHING = List.of(
            "",
            "#",
            "nonsense",
            "nonsense#1",
            World.lane(World.SCOPES.get(0)),
            World.lane(World.SCOPES.get(0)) + "#",
            World.lane(World.SCOPES.get(0)) + "#-1",
            World.lane(World.SCOPES.get(0)) + "#" + (Long.MAX_VALUE - 1));

    private final World world;
    private long made;

    Intruder(World world) {
        this.world = world;
    }

    /** Writes what is to be refused: where signatures are asked for, for want of one; else for what it says. */
    void act() {
        String lane = World.lane(World.SCOPES.get(world.oneIn(4) ? 1 : 0));
        List<SnapshotManifest> standing = List.copyOf(world.truth.standing(lane).values());
        if (world.keys.isSigned()) {
            forge(lane, standing);
        } else {
            writeHostile(lane, standing);
        }
    }

    /** What every reader leaves out, whoever has written it. */
    private void writeHostile(String lane, List<SnapshotManifest> standing) {
        switch (world.random.nextInt(4)) {
            case 0 -> {
                byte[] junk = new byte[world.random.nextInt(60)];
                world.random.nextBytes(junk);
                write(lane + "#" + (world.now() + made++), junk);
            }
            case 1 -> write(KEYS_OF_NOTHING.get(world.random.nextInt(KEYS_OF_NOTHING.size())), null);
            default -> {
                SnapshotManifest newest = standing.isEmpty() ? null : standing.get(standing.size() - 1);
                if (newest != null && !newest.getSegments().isEmpty()) {
                    SnapshotManifest hostile = world.oneIn(2) ? farAhead(newest) : ofPaths(newest);
                    write(lane + "#" + hostile.getVersion(), RecordCodec.SNAPSHOT_MANIFEST.encode(hostile));
                }
            }
        }
    }

    private void write(String key, byte[] value) {
        world.tell(
                "somebody writes %s on topic snapshots as %s",
                value == null ? "nothing" : value.length + " bytes", key);
        world.snapshots.forge(key, value, null, world.now());
    }

    /** It is all in order but for its number. */
    private SnapshotManifest farAhead(SnapshotManifest of) {
        long version = world.oneIn(2) ? Long.MAX_VALUE - 1 : world.now() + FAR_MILLIS + made++;
        return SnapshotManifest.newBuilder(of).setVersion(version).build();
    }

    /** Its files are named by the way to one that is none of a worker's. */
    private SnapshotManifest ofPaths(SnapshotManifest of) {
        List<SegmentReference> files = of.getSegments().stream()
                .map(file -> SegmentReference.newBuilder(file)
                        .setSha256(Bystanders.WAY)
                        .setPath(Bystanders.WAY + ".segment")
                        .build())
                .toList();
        return SnapshotManifest.newBuilder(of)
                .setVersion(world.now() + made++)
                .setSegments(files)
                .build();
    }

    private void forge(String lane, List<SnapshotManifest> standing) {
        switch (world.random.nextInt(5)) {
            case 0 -> takeOver();
            case 1 -> giveAgain();
            case 2 -> command(standing);
            default -> {
                if (!standing.isEmpty()) {
                    snapshot(lane, standing.get(world.random.nextInt(standing.size())));
                }
            }
        }
    }

    /** Announces a version of its own, or withdraws one that stands. */
    private void snapshot(String lane, SnapshotManifest of) {
        if (world.oneIn(2)) {
            world.tell("somebody withdraws version %d of lane %s", of.getVersion(), lane);
            forge(world.snapshots, lane + "#" + of.getVersion(), null);
            return;
        }
        SnapshotManifest manifest = SnapshotManifest.newBuilder(of)
                .setVersion(world.now() + AHEAD_MILLIS + made++)
                .setEpoch(world.oneIn(2) ? Epochs.MAX : of.getEpoch())
                .build();
        world.tell("somebody announces version %d of lane %s", manifest.getVersion(), lane);
        forge(world.snapshots, lane + "#" + manifest.getVersion(), RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private void command(List<SnapshotManifest> standing) {
        Command what = List.of(
                        Command.DELETE_SCOPE, Command.DELETE_REQUEST, Command.ROLLBACK, Command.PIN, Command.UNPIN)
                .get(world.random.nextInt(5));
        boolean needsVersion = what == Command.ROLLBACK || what == Command.PIN;
        if (standing.isEmpty() && needsVersion) {
            return;
        }
        int answers = world.truth.answers().size();
        forge(builder(NAME + made++, what)
                .setScope(World.SCOPES.get(0))
                .setVersion(needsVersion ? (Long) standing.get(0).getVersion() : null)
                .setRequestId(what == Command.DELETE_REQUEST ? "r" + world.random.nextInt(answers + 1) : null)
                .build());
    }

    /** A job that there is not takes the installation over. */
    private void takeOver() {
        String claim = "claim-" + NAME + made++;
        forge(builder(claim, Command.CLAIM).build());
        forge(builder("take-over-" + claim, Command.TAKE_OVER).build());
    }

    private Control.Builder builder(String id, Command what) {
        return Control.newBuilder()
                .setCommandId(id)
                .setCommand(what)
                .setIssuer(NAME)
                .setIssuedAt(Instant.ofEpochMilli(world.now()));
    }

    private void forge(Control control) {
        world.tell("somebody commands %s as %s", control.getCommand(), control.getCommandId());
        forge(world.control, control.getCommandId(), RecordCodec.CONTROL.encode(control));
    }

    /** Unsigned, signed by a key that nobody trusts, or with a signature from another record. */
    private void forge(SimulatedTopic topic, String key, byte[] value) {
        List<Written> history = topic.history();
        byte[] signature = switch (world.random.nextInt(3)) {
            case 0 -> null;
            case 1 -> world.keys.foreign(topic, key, value);
            default -> history.get(world.random.nextInt(history.size())).signature();
        };
        topic.forge(key, value, signature, world.now());
    }

    /** What once was signed is still signed: a command that somebody trusted gave before comes once more. */
    private void giveAgain() {
        List<Written> history = world.control.history();
        Written old = history.get(world.random.nextInt(history.size()));
        world.tell("somebody gives %s again", old.key());
        world.control.forge(old.key(), old.value(), old.signature(), world.now());
    }
}
