package io.tailrace.lab.chaos;

import io.tailrace.lab.chaos.Installation.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Turns what is planned into what is done to an installation. */
final class Faults {
    private static final long SECONDS = 90;
    private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

    private final Installation installation;
    private final VersionWatch versions;
    private final StoredFiles files;
    private final List<String> savepoints = new ArrayList<>();

    Faults(Installation installation, VersionWatch versions) {
        this.installation = installation;
        this.versions = versions;
        this.files = new StoredFiles(installation.folders(), versions);
    }

    Fault of(PlannedFault planned) {
        return switch (planned.kind()) {
            case KILL_TASKMANAGER -> process(taskManager(planned), true);
            case KILL_JOBMANAGER -> process(Installation.JOBMANAGER, true);
            case KILL_BROKER -> process(Installation.BROKER, true);
            case KILL_WORKER -> process(worker(planned), true);
            case PAUSE_TASKMANAGER -> process(taskManager(planned), false);
            case PAUSE_JOBMANAGER -> process(Installation.JOBMANAGER, false);
            case PAUSE_BROKER -> process(Installation.BROKER, false);
            case PAUSE_WORKER -> process(worker(planned), false);
            case CUT_JOB_KAFKA -> link(Route.JOB_KAFKA, Link.State.CUT);
            case CUT_WORKERS_KAFKA -> link(Route.WORKERS_KAFKA, Link.State.CUT);
            case CUT_WORKERS_STORE -> link(Route.WORKERS_STORE, Link.State.CUT);
            case SILENT_JOB_KAFKA -> link(Route.JOB_KAFKA, Link.State.SILENT);
            case SILENT_WORKERS_KAFKA -> link(Route.WORKERS_KAFKA, Link.State.SILENT);
            case SILENT_WORKERS_STORE -> link(Route.WORKERS_STORE, Link.State.SILENT);
            case HALF_OPEN_JOB_KAFKA -> link(Route.JOB_KAFKA, Link.State.ONE_WAY);
            case HALF_OPEN_WORKERS_KAFKA -> link(Route.WORKERS_KAFKA, Link.State.ONE_WAY);
            case SLOW_JOB_KAFKA -> link(Route.JOB_KAFKA, Link.State.SLOW);
            case SLOW_WORKERS_STORE -> link(Route.WORKERS_STORE, Link.State.SLOW);
            case DAMAGED_SEGMENT, DELETED_SEGMENT, LATE_SEGMENT, STALE_SEGMENT, DAMAGED_CACHE ->
                new FileFault(installation.folders(), files, planned);
            case DAMAGED_CHECKPOINT -> new CheckpointFault(installation);
            case SECOND_JOB_EMPTY, SECOND_JOB_FROM_STATE, ROLLING_UPGRADE, OLDER_SAVEPOINT ->
                new JobFault(installation, planned.kind(), savepoints);
            case FULL_STORE -> full(installation.folders().store());
            case FULL_TASKS -> full(installation.folders().tasks());
            case FULL_WORKER -> full(installation.folders().worker(worker(planned)));
            case FULL_BROKER -> full(installation.folders().broker());
            case CLOCK_OFF_90_SECONDS_JOB -> clock(Installation.jobProcesses(), SECONDS, planned);
            case CLOCK_OFF_A_DAY_JOB -> clock(Installation.jobProcesses(), DAY_SECONDS, planned);
            case CLOCK_OFF_90_SECONDS_WORKER -> clock(List.of(worker(planned)), SECONDS, planned);
            case CLOCK_OFF_A_DAY_WORKER -> clock(List.of(worker(planned)), DAY_SECONDS, planned);
            case CLOCK_OFF_90_SECONDS_BROKER -> clock(List.of(Installation.BROKER), SECONDS, planned);
            case CLOCK_OFF_A_DAY_BROKER -> clock(List.of(Installation.BROKER), DAY_SECONDS, planned);
            case HOSTILE_MANIFEST -> new ManifestFault(installation, versions, planned);
        };
    }

    private DiskFault full(Path folder) {
        return new DiskFault(installation.disks(), folder);
    }

    /** Ahead or behind. */
    private ClockFault clock(List<String> processes, long seconds, PlannedFault planned) {
        boolean ahead = planned.draw() / 2 % 2 == 0;
        return new ClockFault(installation.clocks(), processes, ahead ? seconds : -seconds);
    }

    private LinkFault link(Route route, Link.State state) {
        return new LinkFault(installation, route, state);
    }

    private ProcessFault process(String name, boolean killed) {
        return new ProcessFault(installation, name, killed);
    }

    private static String taskManager(PlannedFault planned) {
        return Installation.taskManager(planned.choice(Installation.TASKMANAGERS));
    }

    private static String worker(PlannedFault planned) {
        return Truth.WORKERS.get(planned.choice(Truth.WORKERS.size()));
    }
}
