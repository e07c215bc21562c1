package io.tailrace.operators.control;

import io.tailrace.operators.JobEpoch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.JobInfo;

/** Reads from topic control the epoch of a job's claim, and whether the job has taken its installation over. */
public final class ClaimedEpoch implements JobEpoch {
    private static final long serialVersionUID = 1L;
    private static final Duration CLAIMED_MAX = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;
    private static final long LOOK_MILLIS_MAX = 2_000;

    private final Installation installation;
    private final ClaimName name;

    /**
     * The epochs of one installation.
     *
     * @param name as of the job's {@link SingleJob}
     */
    public ClaimedEpoch(Installation installation, ClaimName name) {
        this.installation = installation;
        this.name = name;
    }

    @Override
    public long of(JobInfo job) throws IOException, InterruptedException {
        String claim = name.of(job);
        long deadline = System.nanoTime() + CLAIMED_MAX.toNanos();
        OptionalLong epoch = Claims.epoch(claim, installation.commands());
        while (epoch.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "this job has not claimed its installation within %d s; what has the task 'single job' failed with?"
                                .formatted(CLAIMED_MAX.toSeconds()));
            }
            Thread.sleep(LOOK_MILLIS);
            epoch = Claims.epoch(claim, installation.commands());
        }
        return epoch.getAsLong();
    }

    /**
     * Waits until the job has taken its installation over, which it does when all its tasks run. However long that takes: a task may have much to restore.
     *
     * @throws IOException if another job has taken it over since: nothing of this one may be written any more
     */
    public void awaitTakeOver(JobInfo job) throws IOException, InterruptedException {
        String claim = name.of(job);
        List<ControlCommand> commands = installation.commands();
        for (long pause = LOOK_MILLIS;
                !Claims.tookOver(claim, commands);
                pause = Math.min(2 * pause, LOOK_MILLIS_MAX)) {
            Thread.sleep(pause);
            commands = installation.commands();
        }
        Optional<ControlCommand> other = Claims.supersedes(claim, commands);
        if (other.isPresent()) {
            throw new IOException("another job took this installation over (%s)"
                    .formatted(other.get().commandId()));
        }
    }
}
