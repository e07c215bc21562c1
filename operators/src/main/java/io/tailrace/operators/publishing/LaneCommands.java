package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applies operators' commands to a lane, each once. Deletes are remembered apart from the others: they can be many, and a command issued before those that
 * were forgotten is taken for one of them. Of a delete that is older than what {@link Deletes} has forgotten, nothing is left to do then; one that is not is
 * taken up again, which changes nothing if it is known.
 */
final class LaneCommands {
    private final Lane lane;
    private final AppliedCommands deletes;
    private final AppliedCommands others;
    private String rolledBackBy;

    /**
     * What is checkpointed of them.
     *
     * @param deletes that were applied
     * @param others of the commands that were applied
     * @param rolledBackBy the last rollback that was obeyed; null: none
     */
    record State(AppliedCommands.State deletes, AppliedCommands.State others, String rolledBackBy) {
        static final State NONE = new State(AppliedCommands.State.NONE, AppliedCommands.State.NONE, null);
    }

    /** @param lane what they are applied to */
    LaneCommands(State state, Lane lane) {
        this.lane = lane;
        this.deletes = new AppliedCommands(state.deletes);
        this.others = new AppliedCommands(state.others);
        this.rolledBackBy = state.rolledBackBy;
    }

    State state() {
        return new State(deletes.state(), others.state(), rolledBackBy);
    }

    /** The last rollback that was obeyed; null: none. */
    String rolledBackBy() {
        return rolledBackBy;
    }

    /** Applies a command that concerns the lane; what came of it, in its order. */
    List<Notice> apply(ControlCommand command, long nowMillis) {
        if (wasApplied(command)) {
            return List.of();
        }
        (command.isDelete() ? deletes : others).add(command);
        return switch (command.command()) {
            case DELETE_REQUEST, DELETE_SCOPE -> delete(command, nowMillis);
            case ROLLBACK -> rollBack(command);
            case PIN -> List.of(pin(command));
            case UNPIN -> List.of(unpin(command));
            case PROPOSE_POLICY -> propose(command);
            case CLAIM, TAKE_OVER, UNKNOWN -> List.of();
        };
    }

    private boolean wasApplied(ControlCommand command) {
        return command.isDelete()
                ? deletes.has(command)
                        || (deletes.mayHaveForgotten(command) && !lane.deletes().mayMiss(command))
                : others.has(command) || others.mayHaveForgotten(command);
    }

    private List<Notice> delete(ControlCommand command, long nowMillis) {
        lane.delete(command, nowMillis);
        return List.of();
    }

    private List<Notice> rollBack(ControlCommand command) {
        Optional<RetainedVersion> target = lane.versions().find(command.version());
        if (target.isEmpty()) {
            return List.of(refused("roll back to", command));
        }
        if (target.get().tombstonesApplied() < lane.deletes().seen()) {
            return List.of(new Notice(
                    EventKind.OTHER,
                    "cannot roll back to version %d: it holds what a delete forbids; choose a later one (command %s)"
                            .formatted(command.version(), command.commandId()),
                    Map.of("version", command.version())));
        }
        List<Notice> notices = dropCandidate(command);
        lane.goBackTo(target.get());
        rolledBackBy = command.commandId();
        notices.add(new Notice(
                EventKind.ROLLED_BACK,
                "rolled back to version %d, to be announced as a higher one (command %s of %s)"
                        .formatted(command.version(), command.commandId(), command.issuer()),
                Map.of("version", command.version())));
        return notices;
    }

    private List<Notice> propose(ControlCommand command) {
        LanePolicy given =
                withWeights(command.policy()).withNumber(lane.versions().policiesMade() + 1);
        lane.versions().madeTo(given.number());
        List<Notice> notices = dropCandidate(command);
        if (command.force()) {
            lane.adopt(given);
            lane.learning().anchorAtLive();
            notices.add(new Notice(
                    EventKind.POLICY_ADOPTED,
                    "policy %d is adopted unjudged (command %s of %s)"
                            .formatted(given.number(), command.commandId(), command.issuer()),
                    Map.of("trial", given.number())));
        } else {
            String origin = "command %s of %s".formatted(command.commandId(), command.issuer());
            notices.add(lane.learning().judge(given, lane.versions().policy().number(), origin));
        }
        return notices;
    }

    /** A policy that brings no weights changes limits only: it goes on with what is live. */
    private LanePolicy withWeights(LanePolicy given) {
        return given.bringsWeights()
                ? given
                : given.withWeightsOf(lane.versions().policy());
    }

    /** Ends the trial of a policy that a command overtakes, also for the replicas. */
    private List<Notice> dropCandidate(ControlCommand command) {
        List<Notice> notices = new ArrayList<>();
        lane.learning()
                .dropCandidate("command %s of %s goes first".formatted(command.commandId(), command.issuer()))
                .ifPresent(notices::add);
        return notices;
    }

    private Notice pin(ControlCommand command) {
        Optional<RetainedVersion> target = lane.versions().find(command.version());
        if (target.isEmpty()) {
            return refused("pin", command);
        }
        lane.versions().pin(command.version());
        return new Notice(
                EventKind.PINNED,
                "version %d is pinned (command %s of %s)"
                        .formatted(command.version(), command.commandId(), command.issuer()),
                Map.of("version", command.version()));
    }

    private Notice unpin(ControlCommand command) {
        lane.versions().pin(0);
        return new Notice(
                EventKind.UNPINNED,
                "no version is pinned (command %s of %s)".formatted(command.commandId(), command.issuer()),
                Map.of());
    }

    private Notice refused(String what, ControlCommand command) {
        List<RetainedVersion> retained = lane.versions().retained();
        String range = retained.isEmpty()
                ? "none is retained"
                : "%d versions from %d to %d are retained"
                        .formatted(
                                retained.size(),
                                retained.get(0).version(),
                                retained.get(retained.size() - 1).version());
        return new Notice(
                EventKind.OTHER,
                "cannot %s version %d: %s (command %s)".formatted(what, command.version(), range, command.commandId()),
                Map.of("version", command.version()));
    }
}
