package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.EventKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Applies operators' commands to a lane, each once. */
final class LaneCommands {
    /** So many commands are remembered as applied. */
    static final int APPLIED_MAX = 1024;

    private final LaneState state;
    private final LanePublication publication;
    private final LaneLearning learning;
    private final long now;

    LaneCommands(LanePublication publication, LearningOptions options, long nowMillis) {
        this.publication = publication;
        this.state = publication.state();
        this.now = nowMillis;
        this.learning = new LaneLearning(state.learning(), options);
    }

    /** Applies a command that concerns the lane; what came of it, in its order. */
    List<Notice> apply(ControlCommand command) {
        if (state.appliedCommands.contains(command.commandId())) {
            return List.of();
        }
        state.appliedCommands.add(command.commandId());
        if (state.appliedCommands.size() > APPLIED_MAX) {
            state.appliedCommands.remove(0);
        }
        return switch (command.command()) {
            case DELETE_REQUEST, DELETE_SCOPE -> delete(command);
            case ROLLBACK -> rollBack(command);
            case PIN -> List.of(pin(command));
            case UNPIN -> List.of(unpin(command));
            case PROPOSE_POLICY -> propose(command);
            case FLUSH, UNKNOWN -> List.of();
        };
    }

    /**
     * Takes up deletes that the lane may not have heard of.
     *
     * @param hold true after a restore: nothing is announced before they are applied
     */
    void takeUpDeletes(List<ControlCommand> deletes, boolean hold) {
        Set<String> known = new HashSet<>();
        state.tombstones.forEach(tombstone -> known.add(tombstone.commandId()));
        long before = state.tombstonesSeen;
        for (ControlCommand delete : deletes) {
            if (delete.issuedAt() > state.tombstonesForgottenTo && !known.contains(delete.commandId())) {
                addTombstone(delete);
            }
        }
        if (hold && state.tombstonesSeen > before) {
            state.holdForTombstones = state.tombstonesSeen;
        }
    }

    private List<Notice> delete(ControlCommand command) {
        boolean known = state.tombstones.stream().anyMatch(t -> t.commandId().equals(command.commandId()));
        if (!known) {
            addTombstone(command);
        }
        return List.of();
    }

    private void addTombstone(ControlCommand command) {
        state.tombstonesSeen++;
        state.tombstones.add(Tombstone.of(command, state.tombstonesSeen, now));
        if (state.version > 0 && publication.layout().cleanTo() == state.tombstonesSeen) {
            publication.makeDue(AnnouncementCause.DELETE);
        }
    }

    private List<Notice> rollBack(ControlCommand command) {
        Optional<RetainedVersion> target = retained(command.version());
        if (target.isEmpty()) {
            return List.of(refused("roll back to", command));
        }
        if (target.get().tombstonesApplied() < state.tombstonesSeen) {
            return List.of(new Notice(
                    EventKind.OTHER,
                    "cannot roll back to version %d: it holds what a delete forbids; choose a later one (command %s)"
                            .formatted(command.version(), command.commandId()),
                    Map.of("version", command.version())));
        }
        long liveBefore = publication.layout().liveTokens();
        state.older = new ArrayList<>(target.get().older());
        state.newest = target.get().newest();
        state.policy = state.policies.get(state.policyOfVersion.getOrDefault(command.version(), 0L));
        List<Notice> notices = dropCandidate(command);
        learning.anchorAtLive();
        state.completionsFolded.clear();
        state.tokensExpired += liveBefore - publication.layout().liveTokens();
        state.rolledBackBy = command.commandId();
        publication.makeDue(AnnouncementCause.ROLLBACK);
        notices.add(new Notice(
                EventKind.ROLLED_BACK,
                "rolled back to version %d, to be announced as a higher one (command %s of %s)"
                        .formatted(command.version(), command.commandId(), command.issuer()),
                Map.of("version", command.version())));
        return notices;
    }

    private List<Notice> propose(ControlCommand command) {
        LanePolicy given = withWeights(command.policy()).withNumber(++state.policiesMade);
        List<Notice> notices = dropCandidate(command);
        if (command.force()) {
            publication.adopt(given);
            learning.anchorAtLive();
            notices.add(new Notice(
                    EventKind.POLICY_ADOPTED,
                    "policy %d is adopted unjudged (command %s of %s)"
                            .formatted(given.number(), command.commandId(), command.issuer()),
                    Map.of("trial", given.number())));
        } else {
            String origin = "command %s of %s".formatted(command.commandId(), command.issuer());
            notices.add(learning.judge(given, state.policy().number(), origin));
        }
        return notices;
    }

    /** A policy that brings no weights changes limits only: it goes on with what is live. */
    private LanePolicy withWeights(LanePolicy given) {
        return given.bringsWeights() ? given : given.withWeightsOf(state.policy());
    }

    /** Ends the trial of a policy that a command overtakes, also for the replicas. */
    private List<Notice> dropCandidate(ControlCommand command) {
        List<Notice> notices = new ArrayList<>();
        learning.dropCandidate("command %s of %s goes first".formatted(command.commandId(), command.issuer()))
                .ifPresent(notices::add);
        return notices;
    }

    private Notice pin(ControlCommand command) {
        Optional<RetainedVersion> target = retained(command.version());
        if (target.isEmpty()) {
            return refused("pin", command);
        }
        state.retained.replaceAll(kept -> kept.withPinned(kept.version() == command.version()));
        return new Notice(
                EventKind.PINNED,
                "version %d is pinned (command %s of %s)"
                        .formatted(command.version(), command.commandId(), command.issuer()),
                Map.of("version", command.version()));
    }

    private Notice unpin(ControlCommand command) {
        state.retained.replaceAll(kept -> kept.withPinned(false));
        return new Notice(
                EventKind.UNPINNED,
                "no version is pinned (command %s of %s)".formatted(command.commandId(), command.issuer()),
                Map.of());
    }

    private Optional<RetainedVersion> retained(long version) {
        return state.retained.stream().filter(kept -> kept.version() == version).findFirst();
    }

    private Notice refused(String what, ControlCommand command) {
        String range = state.retained.isEmpty()
                ? "none is retained"
                : "%d versions from %d to %d are retained"
                        .formatted(
                                state.retained.size(),
                                state.retained.get(0).version(),
                                state.retained.get(state.retained.size() - 1).version());
        return new Notice(
                EventKind.OTHER,
                "cannot %s version %d: %s (command %s)".formatted(what, command.version(), range, command.commandId()),
                Map.of("version", command.version()));
    }
}
