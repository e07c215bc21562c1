package io.tailrace.operators;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.JobInfo;

/** Under which claim of the installation a job writes. Each claim has a higher epoch than those before it, and all that is written for it bears it. */
@FunctionalInterface
public interface JobEpoch extends Serializable {
    /** The epoch of a job's claim, from 1; waits until the claim is made, which one task does while all others start. */
    long of(JobInfo job) throws IOException, InterruptedException;
}
