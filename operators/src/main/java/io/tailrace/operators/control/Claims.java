package io.tailrace.operators.control;

import io.tailrace.schemas.Command;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** The claims on topic control, in their order, their epochs, and which of their jobs have taken the installation over. */
final class Claims {
    private static final String TAKE_OVER = "take-over-";

    private Claims() {}

    /** What the take-over of a claim's job is called. */
    static String takeOverId(String claim) {
        return TAKE_OVER + claim;
    }

    /** True if the claim's job has taken the installation over: all its tasks ran. */
    static boolean tookOver(String claim, List<ControlCommand> commands) {
        String wanted = takeOverId(claim);
        return commands.stream()
                .anyMatch(command -> command.command() == Command.TAKE_OVER
                        && command.commandId().equals(wanted));
    }

    /** The take-over by a job whose claim is behind this one; empty: this one's job may go on. */
    static Optional<ControlCommand> supersedes(String claim, List<ControlCommand> commands) {
        return takeOversAfter(claim, commands).findFirst();
    }

    /**
     * The take-over that ended the newest of some jobs; empty: a job like them may claim. A job with their id in Flink ends none of them: it may be the
     * same job with other options.
     *
     * @param former what their claims begin with
     * @param namesake what the claims of all jobs with their id begin with
     */
    static Optional<ControlCommand> supersedesFormer(String former, String namesake, List<ControlCommand> commands) {
        return claims(commands)
                .filter(claim -> claim.startsWith(former))
                .reduce((before, after) -> after)
                .flatMap(newest -> takeOversAfter(newest, commands)
                        .filter(other -> !other.commandId().startsWith(takeOverId(namesake)))
                        .findFirst());
    }

    private static Stream<ControlCommand> takeOversAfter(String claim, List<ControlCommand> commands) {
        List<String> claims = claims(commands).toList();
        Set<String> later = new HashSet<>();
        claims.subList(claims.indexOf(claim) + 1, claims.size()).forEach(after -> later.add(takeOverId(after)));
        return commands.stream()
                .filter(command -> command.command() == Command.TAKE_OVER && later.contains(command.commandId()));
    }

    private static Stream<String> claims(List<ControlCommand> commands) {
        return commands.stream()
                .filter(command -> command.command() == Command.CLAIM)
                .map(ControlCommand::commandId)
                .distinct();
    }

    /** The epoch of a claim among the commands so far; empty: it is not there. */
    static OptionalLong epoch(String claim, List<ControlCommand> commands) {
        NewestClaim newest = new NewestClaim();
        for (ControlCommand command : commands) {
            newest.hear(command);
            if (command.command() == Command.CLAIM && command.commandId().equals(claim)) {
                return OptionalLong.of(newest.epoch());
            }
        }
        return OptionalLong.empty();
    }
}
