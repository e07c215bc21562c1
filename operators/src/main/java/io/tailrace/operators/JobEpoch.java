package io.tailrace.operators;

import java.io.Serializable;
import org.apache.flink.api.common.JobInfo;

/** Under which claim of the installation a job writes. Each claim has a higher epoch than those before it, and all that is written for it bears it. */
@FunctionalInterface
public interface JobEpoch extends Serializable {
    /**
     * The epoch of a job's claim, from 1. Waits until the claim is made, for which all tasks must have started: so it is not for
     * {@code open}, and cheap from the second time on.
     */
    long of(JobInfo job);
}
