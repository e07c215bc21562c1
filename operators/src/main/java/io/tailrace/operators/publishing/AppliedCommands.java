package io.tailrace.operators.publishing;

import io.tailrace.operators.control.ControlCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * Which commands were applied: those applied last by their ids, and of those before them the time up to which they were issued. Topic control is read from its
 * beginning again where a job moves to another Kafka.
 */
final class AppliedCommands {
    /** So many are remembered by their ids. */
    static final int LAST_MAX = 1024;

    private final List<Applied> last;
    private long forgottenTo;

    /**
     * What is checkpointed of them.
     *
     * @param last those applied last
     * @param forgottenTo when the newest of those before them was issued, epoch milliseconds
     */
    record State(List<Applied> last, long forgottenTo) {
        static final State NONE = new State(List.of(), Long.MIN_VALUE);
    }

    /** A command that was applied. */
    record Applied(String commandId, long issuedAt) {}

    AppliedCommands(State state) {
        this.last = new ArrayList<>(state.last);
        this.forgottenTo = state.forgottenTo;
    }

    State state() {
        return new State(List.copyOf(last), forgottenTo);
    }

    /** True if it was applied. */
    boolean has(ControlCommand command) {
        return last.stream().anyMatch(applied -> applied.commandId().equals(command.commandId()));
    }

    /** True if it was issued when those were that were applied and are not remembered by their ids: it may have been applied. */
    boolean mayHaveForgotten(ControlCommand command) {
        return command.issuedAt() <= forgottenTo;
    }

    /** The command is applied. */
    void add(ControlCommand command) {
        last.add(new Applied(command.commandId(), command.issuedAt()));
        if (last.size() > LAST_MAX) {
            forgottenTo = Math.max(forgottenTo, last.remove(0).issuedAt());
        }
    }
}
