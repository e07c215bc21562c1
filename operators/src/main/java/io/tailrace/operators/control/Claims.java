package io.tailrace.operators.control;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Epochs;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The claims on topic control, in their order. A claim's epoch is one higher than that of the claim before it, or what the claim itself asks for if
 * that is higher and no more than {@link #FLOOR_MAX}.
 */
final class Claims {
    /** Whatever a claim asks for, more can follow it than will ever be made. */
    static final long FLOOR_MAX = Epochs.MAX / 2;

    private Claims() {}

    /** The epoch of a claim among the commands so far; empty: it is not there. */
    static OptionalLong epoch(String claim, List<ControlCommand> commands) {
        Set<String> seen = new HashSet<>();
        long epoch = 0;
        for (ControlCommand command : commands) {
            if (command.command() == Command.CLAIM && seen.add(command.commandId())) {
                long floor = command.version() <= FLOOR_MAX ? command.version() : 0;
                epoch = Math.max(epoch + 1, floor);
                if (command.commandId().equals(claim)) {
                    return OptionalLong.of(epoch);
                }
            }
        }
        return OptionalLong.empty();
    }
}
