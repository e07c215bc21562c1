package io.tailrace.operators.control;

import io.tailrace.operators.JobEpoch;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    private final Duration checkpointInterval;
    private transient long known;

    /**
     * The epochs of one installation.
     *
     * @param takeOver as of the job's {@link SingleJob}
     * @param checkpointInterval by then at the latest the first checkpoint is tried, with which the job claims
     */
    public ClaimedEpoch(Installation installation, String takeOver, Duration checkpointInterval) {
        this.installation = installation;
        this.takeOver = takeOver;
        this.checkpointInterval = checkpointInterval;
    }

    @Override
    public long of(JobInfo job) {
        if (known == 0) {
            known = await(SingleJob.claimId(job.getJobId().toHexString(), takeOver));
        }
        return known;
    }

    private long await(String claim) {
        try {
            return look(claim, CLAIMED_MAX.plus(checkpointInterval));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while this job's claim was waited for", e);
        }
    }

    private long look(String claim, Duration waitMax) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + waitMax.toNanos();
        OptionalLong epoch = Claims.epoch(claim, installation.commands());
        while (epoch.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "this job has not claimed its installation within %d s; do all its tasks run, and what has the task 'single job' failed with?"
                                .formatted(waitMax.toSeconds()));
            }
            Thread.sleep(LOOK_MILLIS);
            epoch = Claims.epoch(claim, installation.commands());
        }
        return epoch.getAsLong();
    }
}
