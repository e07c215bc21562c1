package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.e2e.simulation.Truth.Answer;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import java.time.Instant;
import java.util.List;

/** Gives commands as an operator does. */
final class Operators {
    /** How the ids of commands begin that choose a version. */
    static final String HOLDS = "hold-";

    private final World world;
    private final Clocks.Clock clock;
    private long commands;

    Operators(World world) {
        this.world = world;
        this.clock = world.clocks.ofOperators();
    }

    /** Deletes an answer, or all of its scope. */
    void delete() throws UndecodableRecordException {
        List<Answer> answers = world.truth.answers();
        if (answers.isEmpty()) {
            return;
        }
        delete(answers.get(answers.size() - 1 - world.random.nextInt(Math.min(30, answers.size()))), world.oneIn(8));
    }

    /**
     * Deletes an answer.
     *
     * @param whole all of its scope that is complete by now, in place of it
     */
    void delete(Answer of, boolean whole) throws UndecodableRecordException {
        Control control = command(
                        "delete-" + commands++, whole ? Command.DELETE_SCOPE : Command.DELETE_REQUEST, of.scope())
                .setRequestId(whole ? null : of.requestId())
                .build();
        world.tell("%s: %s", control.getCommandId(), whole ? "all of " + of.scope() : "request " + of.id());
        Written record = give(control);
        world.truth.deleted(ControlCommand.decode(world.control.raw(record)), whole ? null : of.id(), record);
    }

    /** Goes back to a version for good, holds one, or lets go. */
    void chooseVersion() {
        String scope = World.SCOPES.get(world.oneIn(4) ? 1 : 0);
        List<Long> standing =
                List.copyOf(world.truth.standing(World.lane(scope)).keySet());
        if (standing.isEmpty()) {
            return;
        }
        Command what = List.of(Command.ROLLBACK, Command.ROLLBACK, Command.PIN, Command.UNPIN)
                .get(world.random.nextInt(4));
        long version = standing.get(world.random.nextInt(standing.size()));
        choose(what, scope, world.oneIn(10) ? version - 1 : version);
    }

    /**
     * Holds a version, or goes back to it.
     *
     * @param what PIN, UNPIN or ROLLBACK
     */
    void choose(Command what, String scope, long version) {
        Control control = command(HOLDS + commands++, what, scope)
                .setVersion(what == Command.UNPIN ? null : (Long) version)
                .build();
        world.tell("%s: %s %s %d", control.getCommandId(), what, scope, version);
        give(control);
    }

    private Control.Builder command(String id, Command what, String scope) {
        return Control.newBuilder()
                .setCommandId(id)
                .setCommand(what)
                .setScope(scope)
                .setIssuer("operator")
                .setIssuedAt(Instant.ofEpochMilli(clock.now()));
    }

    private Written give(Control control) {
        byte[] value = RecordCodec.CONTROL.encode(control);
        String key = control.getCommandId();
        return world.control.append(key, value, world.keys.ofOperator(world.control, key, value), world.now());
    }
}
