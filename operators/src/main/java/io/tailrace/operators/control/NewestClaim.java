package io.tailrace.operators.control;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Epochs;
import java.util.HashSet;
import java.util.Set;

/**
 * The epoch of the newest claim among the commands of topic control that were heard so far, in their order. A claim's epoch is one higher than that of the claim before it, or what
 * the claim itself asks for if that is higher and no more than {@link #FLOOR_MAX}.
 */
public final class NewestClaim {
    /** Whatever a claim asks for, more can follow it than will ever be made. */
    static final long FLOOR_MAX = Epochs.MAX / 2;

    private final Set<String> claims = new HashSet<>();
    private long epoch;

    /** Takes the next command. */
    public void hear(ControlCommand command) {
        if (command.command() == Command.CLAIM && claims.add(command.commandId())) {
            long floor = command.version() <= FLOOR_MAX ? command.version() : 0;
            epoch = Math.max(epoch + 1, floor);
        }
    }

    /** 0: no claim was heard. */
    public long epoch() {
        return epoch;
    }

    /**
     * Refuses the epoch of what no job has written. Where no claim was heard nobody knows.
     *
     * @throws IllegalArgumentException if it is later than that of the newest claim
     */
    public void check(long of) {
        if (epoch > 0 && of > epoch) {
            throw new IllegalArgumentException(
                    "epoch %d is of no job: the newest claim on topic control has %d; find out who else writes the topic"
                            .formatted(of, epoch));
        }
    }
}
