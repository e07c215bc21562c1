package io.tailrace.lab.chaos;

import io.tailrace.local.cluster.ChildProcess;
import io.tailrace.local.cluster.FlinkJob;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What operators do to a job, and what they do to it by mistake. */
final class JobFault implements Fault {
    private static final long SECONDS_MAX = 60;
    private static final long LOOK_MILLIS = 200;
    private static final long OLDER_SECONDS = 10;

    private final Installation installation;
    private final FlinkJob cluster;
    private final FaultKind kind;
    private final List<String> savepoints;

    /** @param savepoints that were taken before, oldest first; those taken here are added */
    JobFault(Installation installation, FaultKind kind, List<String> savepoints) {
        this.installation = installation;
        this.cluster = installation.cluster();
        this.kind = kind;
        this.savepoints = savepoints;
    }

    @Override
    public String target() {
        return "job";
    }

    @Override
    public Struck struck() {
        return Struck.JOB;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        switch (kind) {
            case SECOND_JOB_EMPTY -> secondWithoutState();
            case SECOND_JOB_FROM_STATE -> secondFromState();
            case ROLLING_UPGRADE -> upgrade();
            case OLDER_SAVEPOINT -> goBack();
            default -> throw new IllegalStateException(kind + " is nothing that is done to a job");
        }
    }

    /** It must not start, and the first must go on. */
    private void secondWithoutState() throws IOException, InterruptedException {
        String first = running();
        String second = cluster.submit(null);
        awaitState(second, "FAILED");
        String why = cluster.rest().failure(second);
        if (!why.contains("versions are announced, and this job starts without state")) {
            throw new IOException("a second job with empty state failed for another reason: " + firstLine(why));
        }
        requireRunning(first);
    }

    /** It takes over, and the first ends. From a savepoint: checkpoints of a job that goes on are soon gone. */
    private void secondFromState() throws IOException, InterruptedException {
        String first = running();
        String savepoint = cluster.rest().savepoint(first);
        String second = cluster.submit(savepoint);
        cluster.follow(second);
        awaitState(first, "FAILED");
        String why = cluster.rest().failure(first);
        if (!why.contains("another job took this installation over")) {
            throw new IOException("the first job failed for another reason: " + firstLine(why));
        }
    }

    /** A savepoint, every process anew, and on from there. */
    private void upgrade() throws IOException, InterruptedException {
        String first = running();
        installation.hold(Installation.JOBMANAGER);
        try {
            savepoints.add(cluster.rest().stop(first));
            awaitState(first, "FINISHED");
            for (int i = 0; i < Installation.TASKMANAGERS; i++) {
                restart(Installation.taskManager(i));
            }
            restart(Installation.JOBMANAGER);
        } finally {
            installation.release(Installation.JOBMANAGER);
        }
    }

    private void restart(String name) throws IOException, InterruptedException {
        ChildProcess process = installation.hold(name);
        process.end();
        process.start();
        installation.release(name);
    }

    /** To the last savepoint that was taken, or to one that is taken now, when the job has gone on from it for a while. */
    private void goBack() throws IOException, InterruptedException {
        String first = running();
        if (savepoints.isEmpty()) {
            savepoints.add(cluster.rest().savepoint(first));
            TimeUnit.SECONDS.sleep(OLDER_SECONDS);
        }
        installation.hold(Installation.JOBMANAGER);
        try {
            cluster.rest().cancel(first);
            awaitState(first, "CANCELED");
            cluster.follow(cluster.submit(savepoints.get(savepoints.size() - 1)));
        } finally {
            installation.release(Installation.JOBMANAGER);
        }
    }

    private String running() throws IOException {
        String job = cluster.job();
        if (job == null) {
            throw new IOException("no job runs that anything could be done to");
        }
        return job;
    }

    private void requireRunning(String job) throws IOException, InterruptedException {
        String state = cluster.rest().state(job);
        if (FlinkJob.ended(state)) {
            throw new IOException("job %s has ended: %s".formatted(job, state));
        }
    }

    private void awaitState(String job, String wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        String state = cluster.rest().state(job);
        while (!state.equals(wanted)) {
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "job %s is %s after %d s, expected %s".formatted(job, state, SECONDS_MAX, wanted));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            state = cluster.rest().state(job);
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("no reason given");
    }

    @Override
    public void heal() {
        // Whoever tends the installation starts the job again where none runs.
    }
}
