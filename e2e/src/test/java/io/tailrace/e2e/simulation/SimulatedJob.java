package io.tailrace.e2e.simulation;

import io.tailrace.operators.control.ClaimName;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;

/** A job over its runs: each goes on from a checkpoint. What is not running does nothing. */
final class SimulatedJob {
    private static final int CHECKPOINTS_KEPT = 4;
    private static final int FAILURES_MAX = 5;

    /** Of all jobs: so it is in clusters of one name. */
    static final JobID ID = new JobID(7, 7);

    private final World world;
    private final int number;
    private final ClaimName claim;
    private final Clocks.Clock clock;

    private final List<Checkpoint> completed = new ArrayList<>();
    private List<Transaction> uncommitted = new ArrayList<>();
    private Run run;
    private Checkpoint pending;
    private int failuresInARow;
    private boolean superseded;
    private boolean paused;
    private boolean cutOff;
    private long deafUntil;

    SimulatedJob(World world, int number) {
        this.world = world;
        this.number = number;
        this.claim = new ClaimName("", "job-" + number);
        this.clock = world.clocks.ofJob();
    }

    int number() {
        return number;
    }

    ClaimName claim() {
        return claim;
    }

    World world() {
        return world;
    }

    long now() {
        return clock.now();
    }

    /** Null: it is down. */
    Run run() {
        return run;
    }

    boolean isWorking() {
        return run != null && !paused;
    }

    /** Another has claimed the installation, and this one has heard of it. */
    boolean isSuperseded() {
        return superseded;
    }

    /** It does nothing for a while, as a machine that is suspended. */
    void pause(boolean isPaused) {
        paused = isPaused;
    }

    boolean isPaused() {
        return paused;
    }

    /** Its sources get nothing but commands. */
    void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
    }

    /** It reads no commands until then, and goes on otherwise: it reaches all brokers but the one that leads topic control. */
    void deafUntil(long millis) {
        deafUntil = millis;
    }

    boolean isDeaf() {
        return world.now() < deafUntil;
    }

    boolean isCutOff() {
        return cutOff;
    }

    List<Checkpoint> completed() {
        return completed;
    }

    Checkpoint newest() {
        return completed.isEmpty() ? null : completed.get(completed.size() - 1);
    }

    /**
     * Starts it.
     *
     * @param from null: without state
     */
    void start(Checkpoint from) throws Exception {
        if (from != null) {
            from.transactions().forEach(Transaction::commit);
            completed.removeIf(later -> later.id() > from.id());
        }
        uncommitted.forEach(Transaction::abort);
        uncommitted = new ArrayList<>();
        pending = null;
        failuresInARow = 0;
        paused = false;
        Run started = new Run(this, from);
        try {
            started.open();
            run = started;
        } catch (Run.EndedException e) {
            superseded = true;
            started.close();
        }
    }

    /** Takes over from another job's checkpoint. */
    void adopt(Checkpoint from) {
        completed.add(from);
    }

    void crash() throws Exception {
        if (run != null) {
            run.close();
            run = null;
        }
    }

    /** It is away for longer than the brokers wait for a transaction's end. */
    void loseTransactions() {
        completed.forEach(checkpoint -> checkpoint.transactions().forEach(Transaction::abort));
    }

    /** Does something with the run; a failure of its functions ends the run, which a restart follows. */
    void act(Step step) throws Exception {
        try {
            if (isWorking()) {
                step.of(run);
            }
        } catch (Run.EndedException e) {
            world.tell("job %d is superseded and ends", number);
            superseded = true;
            crash();
        }
    }

    /** What a run does. */
    @FunctionalInterface
    interface Step {
        void of(Run run) throws Exception;
    }

    void triggerCheckpoint(long checkpointId) throws Exception {
        act(running -> {
            if (pending == null) {
                uncommitted.add(running.endTransaction());
                pending = running.checkpoint(checkpointId, List.copyOf(uncommitted));
            }
        });
    }

    /** The job's coordinator has it; whether the tasks hear of it before they fail is another thing. */
    void completeCheckpoint(boolean isHeard) throws Exception {
        if (pending == null || !isWorking()) {
            return;
        }
        failuresInARow = 0;
        completed.add(pending);
        if (completed.size() > CHECKPOINTS_KEPT) {
            completed.remove(0);
        }
        if (isHeard) {
            pending.transactions().forEach(Transaction::commit);
            uncommitted.removeAll(pending.transactions());
            run.completed(pending);
            pending = null;
        } else {
            pending = null;
            crash();
        }
    }

    void abortCheckpoint() throws Exception {
        if (pending != null && isWorking()) {
            pending = null;
            if (++failuresInARow > FAILURES_MAX) {
                crash();
            }
        }
    }
}
