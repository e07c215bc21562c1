package io.tailrace.operators.control;

import io.tailrace.operators.JobEpoch;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.flink.api.common.JobInfo;

/** Reads the epoch of a job's claim from topic control. */
public final class ClaimedEpoch implements JobEpoch {
    private static final long serialVersionUID = 1L;
    private static final Duration CLAIMED_MAX = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 100;

    private final Installation installation;
    private final String takeOver;

    /**
     * The epochs of one installation.
     *
     * @param takeOver as of the job's {@link SingleJob}
     */
    public ClaimedEpoch(Installation installation, String takeOver) {
        this.installation = installation;
        this.takeOver = takeOver;
    }

    @Override
    public long of(JobInfo job) throws IOException, InterruptedException {
        String claim = SingleJob.claimId(job.getJobId().toHexString(), takeOver);
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
}
