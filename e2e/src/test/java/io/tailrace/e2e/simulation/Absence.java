package io.tailrace.e2e.simulation;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.SnapshotManifest;
import java.util.Set;
import java.util.TreeMap;

/** A worker is held at a version and cut off; what the version holds is deleted; and Kafka forgets that it was withdrawn, before the worker is back. */
final class Absence {
    private static final long LOADED_BY_MILLIS = 5_000;
    private static final long WITHDRAWN_BY_MILLIS = 2 * World.DELETE_MILLIS_MAX;

    private final World world;
    private final Life life;
    private final Operators operators;
    private final SimulatedFollower follower;

    Absence(World world, Life life, Operators operators, SimulatedFollower follower) {
        this.world = world;
        this.life = life;
        this.operators = operators;
        this.follower = follower;
    }

    void happen() throws Exception {
        String scope = World.SCOPES.get(0);
        var standing = new TreeMap<>(world.truth.standing(World.lane(scope)));
        if (standing.isEmpty() || follower.isCutOff() || !world.oneIn(3)) {
            return;
        }
        SnapshotManifest version = standing.lastEntry().getValue();
        Set<Integer> held = world.truth.texts(version);
        operators.choose(Command.PIN, scope, version.getVersion());
        life.pass(LOADED_BY_MILLIS);
        follower.cutOff(true);
        if (!held.isEmpty()) {
            operators.delete(world.truth.answers().get(held.iterator().next()), false);
        }
        life.pass(WITHDRAWN_BY_MILLIS);
        world.tell("a day passes");
        world.pass(World.RETENTION_MILLIS);
        world.forget();
        life.pass(LOADED_BY_MILLIS);
        follower.cutOff(false);
    }
}
