package io.tailrace.local.cluster;

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

/** The index job on a cluster without high availability: whoever tends it starts it again after the JobManager has died. */
public final class FlinkJob {
    private final FlinkPlace place;
    private final int parallelism;
    private final List<String> arguments;
    private final FlinkRest rest;
    private final Consumer<String> log;
    private String job;
    private int jobManagerStarts;

    /** @param arguments of the job */
    public FlinkJob(FlinkPlace place, int parallelism, List<String> arguments, Consumer<String> log) {
        this.place = place;
        this.parallelism = parallelism;
        this.arguments = List.copyOf(arguments);
        this.rest = new FlinkRest(place.restPort());
        this.log = log;
    }

    public FlinkRest rest() {
        return rest;
    }

    /** The job that is meant to run; null: none yet. */
    public String job() {
        return job;
    }

    /** Starts the job again if it has ended, or if the JobManager has. Does nothing while there are no slots for it. */
    public void tend(ChildProcess jobManager) throws InterruptedException {
        try {
            if (job != null && (jobManager.starts() != jobManagerStarts || ended(rest.state(job)))) {
                job = null;
            }
            if (job == null && rest.slots() >= parallelism) {
                goOn(jobManager);
            }
        } catch (IOException notNow) {
            // Looked at again in a moment.
        }
    }

    private void goOn(ChildProcess jobManager) throws IOException {
        Optional<Path> state = LocalFlink.KeptState.newest(place.state(), log);
        jobManagerStarts = jobManager.starts();
        job = submit(state.map(path -> path.toUri().toString()).orElse(null));
        log.accept("job %s from %s".formatted(job, state.map(Path::toString).orElse("empty state")));
    }

    /** Whether the job runs. */
    public boolean running() throws InterruptedException {
        try {
            return job != null && rest.state(job).equals("RUNNING");
        } catch (IOException e) {
            return false;
        }
    }

    public static boolean ended(String state) {
        return List.of("", "FAILED", "CANCELED", "FINISHED").contains(state);
    }

    /** From now on this job is the one that is meant to run. */
    public void follow(String submitted) {
        job = submitted;
    }

    /** Submits the job; null: with empty state. */
    public String submit(String restoreFrom, String... further) throws IOException {
        Configuration configuration =
                GlobalConfiguration.loadConfiguration(place.configuration().toString(), new Configuration());
        FlinkSettings.client(place).forEach(configuration::setString);
        if (restoreFrom != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, restoreFrom);
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(further));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", place.restPort(), configuration);
        environment.setParallelism(parallelism);
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
