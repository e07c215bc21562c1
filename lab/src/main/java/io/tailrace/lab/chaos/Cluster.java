package io.tailrace.lab.chaos;

import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.local.LocalFlink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The Flink cluster with the job on it. It has no high availability: whoever tends it starts the job again after the JobManager has died. */
final class Cluster {
    static final int TASKMANAGERS = 2;
    static final int SLOTS = 2;

    private static final int PARALLELISM = 2;

    private final RunFolders folders;
    private final int restPort;
    private final List<String> arguments;
    private final FlinkRest rest;
    private final Consumer<String> log;
    private String job;
    private int jobManagerStarts;

    /** @param arguments of the job */
    Cluster(RunFolders folders, int restPort, List<String> arguments, Consumer<String> log) {
        this.folders = folders;
        this.restPort = restPort;
        this.arguments = List.copyOf(arguments);
        this.rest = new FlinkRest(restPort);
        this.log = log;
    }

    FlinkRest rest() {
        return rest;
    }

    /** The job that is meant to run; null: none yet. */
    String job() {
        return job;
    }

    /** Starts the job again if it has ended, or if the JobManager has. Does nothing while there are no slots for it. */
    void tend(ChildProcess jobManager) throws InterruptedException {
        try {
            if (job != null && (jobManager.starts() != jobManagerStarts || ended(rest.state(job)))) {
                job = null;
            }
            if (job == null && rest.slots() >= PARALLELISM) {
                goOn(jobManager);
            }
        } catch (IOException notNow) {
            // Looked at again in a moment.
        }
    }

    private void goOn(ChildProcess jobManager) throws IOException {
        Optional<Path> state = LocalFlink.KeptState.newest(folders.state(), log);
        jobManagerStarts = jobManager.starts();
        job = submit(state.map(path -> path.toUri().toString()).orElse(null));
        log.accept("job %s from %s".formatted(job, state.map(Path::toString).orElse("empty state")));
    }

    /** Whether the job runs. */
    boolean running() throws InterruptedException {
        try {
            return job != null && rest.state(job).equals("RUNNING");
        } catch (IOException e) {
            return false;
        }
    }

    static boolean ended(String state) {
        return List.of("", "FAILED", "CANCELED", "FINISHED").contains(state);
    }

    /** From now on this job is the one that is meant to run. */
    void follow(String submitted) {
        job = submitted;
    }

    /** Submits the job; null: with empty state. */
    String submit(String restoreFrom, String... further) throws IOException {
        Configuration configuration =
                GlobalConfiguration.loadConfiguration(folders.configuration().toString(), new Configuration());
        FlinkSettings.client(folders, restPort).forEach(configuration::setString);
        if (restoreFrom != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom);
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(further));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", restPort, configuration);
        environment.setParallelism(PARALLELISM);
        IndexJob.build(environment, IndexJobOptions.parse(all.toArray(new String[0])));
        try {
            return environment.executeAsync(IndexJob.NAME).getJobID().toHexString();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // Flink declares no more
            throw new IOException("the job was not accepted: " + e.getMessage(), e);
        }
    }
}
