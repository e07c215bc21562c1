package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.List;

/** Somebody who may write to the topics, and has no key that anybody trusts. */
final class Intruder {
    /** How the ids of its commands begin. */
    static final String NAME = "forged-";

    /** Ahead of what any job announces by then, and not so far that readers refuse it for that. */
    private static final int AHEAD_MILLIS = 3_000_000;

    private final World world;
    private long made;

    Intruder(World world) {
        this.world = world;
    }

    /** Writes something, where signatures are asked for. */
    void act() {
        if (!world.keys.isSigned()) {
            return;
        }
        String lane = World.lane(World.SCOPES.get(world.oneIn(4) ? 1 : 0));
        List<SnapshotManifest> standing = List.copyOf(world.truth.standing(lane).values());
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
