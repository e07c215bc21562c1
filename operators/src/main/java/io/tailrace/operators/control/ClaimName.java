package io.tailrace.operators.control;

import java.io.Serializable;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobInfo;

/**
 * What a job's claim is called. The job's id in Flink does not suffice: with high availability it follows from the cluster's name, so two clusters of one
 * name have jobs of one id. The nonce is made with the job's plan and is part of it. So it is the same after a failure, and another where a job is started anew.
 *
 * @param takeOver empty, or a word with which a job that another has superseded claims once more
 * @param nonce which no other job has
 */
public record ClaimName(String takeOver, String nonce) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Of a job that is made now. */
    public static ClaimName fresh(String takeOver) {
        return new ClaimName(takeOver, UUID.randomUUID().toString());
    }

    /** The claim's id. */
    String of(JobInfo job) {
        return sameWord(job) + nonce;
    }

    /** What the claims of all jobs with this id and word begin with. */
    String sameWord(JobInfo job) {
        return namesake(job.getJobId()) + (takeOver.isEmpty() ? "" : takeOver + "-");
    }

    /** What the claims of all jobs with this id begin with. */
    static String namesake(JobID job) {
        return "claim-" + job.toHexString() + "-";
    }
}
