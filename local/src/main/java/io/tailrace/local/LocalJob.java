package io.tailrace.local;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;

/** A job on a {@link LocalFlink}. */
public final class LocalJob {
    private static final String CAUSE = "Caused by: ";
    private static final long POLL_MILLIS = 50;

    private final MiniCluster cluster;
    private final JobID id;

    LocalJob(MiniCluster cluster, JobID id) {
        this.cluster = cluster;
        this.id = id;
    }

    public JobID id() {
        return id;
    }

    /** Flink's own handle of the job. */
    public JobClient client() {
        return new MiniClusterJobClient(
                id, cluster, LocalJob.class.getClassLoader(), MiniClusterJobClient.JobFinalizationBehavior.NOTHING);
    }

    public JobStatus status() throws IOException {
        return LocalFlink.await("asking for the job's status", cluster.getJobStatus(id));
    }

    /**
     * Waits until every task runs.
     *
     * @throws IOException if the job ends instead, or the time is over
     */
    public void awaitRunning(Duration max) throws IOException {
        await("run", this::everyTaskRuns, max);
    }

    /**
     * Waits until a checkpoint has completed since the job's start: from then on what it writes becomes visible.
     *
     * @throws IOException if the job ends instead, or the time is over
     */
    public void awaitCheckpoint(Duration max) throws IOException {
        await("complete a checkpoint", () -> completedCheckpoints() > 0, max);
    }

    /** How often its tasks were started anew. */
    public int restarts() throws IOException {
        int attempts = 0;
        for (AccessExecutionVertex vertex : graph().getAllExecutionVertices()) {
            attempts = Math.max(attempts, vertex.getCurrentExecutionAttempt().getAttemptNumber());
        }
        return attempts;
    }

    /** Why the job failed last, in one line: the innermost cause, since Flink wraps it in what it made of it. */
    public String failure() throws IOException {
        ErrorInfo failure = graph().getFailureInfo();
        if (failure == null) {
            return "no failure recorded";
        }
        List<String> lines = failure.getExceptionAsString().lines().toList();
        return lines.stream()
                .filter(line -> line.startsWith(CAUSE))
                .map(line -> line.substring(CAUSE.length()))
                .reduce((outer, inner) -> inner)
                .orElse(lines.get(0));
    }

    /** Stops the job with a savepoint and returns where that lies. */
    public String stopWithSavepoint() throws IOException {
        return LocalFlink.await(
                "stopping the job with a savepoint",
                cluster.stopWithSavepoint(id, null, false, SavepointFormatType.CANONICAL));
    }

    /** Takes a savepoint while the job goes on, and returns where it lies. */
    public String savepoint() throws IOException {
        return LocalFlink.await(
                "taking a savepoint", cluster.triggerSavepoint(id, null, false, SavepointFormatType.CANONICAL));
    }

    /** Cancels the job and waits until it is gone. */
    public void cancel() throws IOException {
        LocalFlink.await("cancelling the job", cluster.cancelJob(id));
        LocalFlink.await("the job's end", cluster.requestJobResult(id));
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(String what, Condition condition, Duration max) throws IOException {
        long deadline = System.nanoTime() + max.toNanos();
        while (!condition.holds()) {
            if (status().isGloballyTerminalState()) {
                throw new IOException("the job ended before it could " + what + ": " + failure());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("the job did not " + what + " within " + max.toSeconds() + " s: " + failure());
            }
            pause();
        }
    }

    private long completedCheckpoints() throws IOException {
        CheckpointStatsSnapshot checkpoints = graph().getCheckpointStatsSnapshot();
        return checkpoints == null ? 0 : checkpoints.getCounts().getNumberOfCompletedCheckpoints();
    }

    /** State that the newest completed checkpoint holds, in bytes; 0 before the first. */
    public long checkpointBytes() throws IOException {
        CheckpointStatsSnapshot checkpoints = graph().getCheckpointStatsSnapshot();
        CompletedCheckpointStats newest =
                checkpoints == null ? null : checkpoints.getHistory().getLatestCompletedCheckpoint();
        return newest == null ? 0 : newest.getStateSize();
    }

    /** The longest checkpoint that completed, in milliseconds; 0 before the first. */
    public long checkpointMillisMax() throws IOException {
        CheckpointStatsSnapshot checkpoints = graph().getCheckpointStatsSnapshot();
        return checkpoints == null
                ? 0
                : checkpoints.getSummaryStats().getEndToEndDurationStats().getMaximum();
    }

    private boolean everyTaskRuns() throws IOException {
        AccessExecutionGraph graph = graph();
        if (graph.getState() != JobStatus.RUNNING) {
            return false;
        }
        for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
            if (vertex.getExecutionState() != ExecutionState.RUNNING) {
                return false;
            }
        }
        return true;
    }

    private AccessExecutionGraph graph() throws IOException {
        return LocalFlink.await("asking for the job's tasks", cluster.getExecutionGraph(id));
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the job", e);
        }
    }
}
