package io.tailrace.lab.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Breaks an installation as a schedule says, one fault after the other, and measures how soon it is itself again. */
final class ChaosRun {
    private static final Duration FIRST_VERSION_MAX = Duration.ofMinutes(3);
    private static final Duration RECOVERY_MAX = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 200;

    private final Installation installation;
    private final VersionWatch versions;
    private final Faults faults;
    private final Consumer<String> log;
    private final List<FaultOutcome> outcomes = new ArrayList<>();
    private long beganAt;

    ChaosRun(Installation installation, VersionWatch versions, Consumer<String> log) {
        this.installation = installation;
        this.versions = versions;
        this.faults = new Faults(installation, versions);
        this.log = log;
    }

    /** Goes through the schedule until its end, or until the time is over. */
    List<FaultOutcome> run(Schedule schedule, Duration time) throws IOException, InterruptedException {
        if (!tendUntil(() -> versions.announced() > 0, FIRST_VERSION_MAX)) {
            throw new IOException("no version within %d s of the start; look into the logs in %s"
                    .formatted(
                            FIRST_VERSION_MAX.toSeconds(),
                            installation.folders().logs()));
        }
        beganAt = System.nanoTime();
        for (PlannedFault planned : schedule.faults()) {
            tend(Duration.ofSeconds(planned.gapSeconds()));
            if (System.nanoTime() - beganAt + TimeUnit.SECONDS.toNanos(planned.seconds()) > time.toNanos()) {
                break;
            }
            FaultOutcome outcome = through(planned, faults.of(planned));
            log.accept(FaultTable.line(outcome));
            outcomes.add(outcome);
        }
        return List.copyOf(outcomes);
    }

    private FaultOutcome through(PlannedFault planned, Fault fault) throws IOException, InterruptedException {
        double began = seconds();
        if (fault.impossible().isPresent()) {
            return FaultOutcome.leftOut(
                    planned.kind(), fault.target(), began, fault.impossible().get());
        }
        String wrong = "";
        try {
            fault.begin();
            tend(Duration.ofSeconds(planned.seconds()));
        } catch (IOException e) {
            wrong = e.getMessage();
        }
        fault.heal();
        double healed = seconds();
        long healedAt = System.nanoTime();
        Recovery recovery = new Recovery(fault.struck(), observe());
        if (tendUntil(() -> recovery.missing(observe()).isEmpty(), RECOVERY_MAX)) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healedAt);
            return new FaultOutcome(planned.kind(), fault.target(), began, healed, millis, "", wrong);
        }
        return FaultOutcome.notRecovered(
                planned.kind(), fault.target(), began, healed, wrong, recovery.missing(observe()));
    }

    /** What is to be seen now. */
    Observation observe() {
        Map<String, Long> toldBytes = new HashMap<>();
        for (String worker : Truth.WORKERS) {
            toldBytes.put(worker, installation.folders().told(worker).toFile().length());
        }
        return versions.observe(toldBytes);
    }

    private void tend(Duration time) throws IOException, InterruptedException {
        tendUntil(() -> false, time);
    }

    /** Tends the installation until the condition holds; false: the time was over first. */
    boolean tendUntil(BooleanSupplier condition, Duration max) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + max.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            installation.tend();
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return true;
    }

    private double seconds() {
        return (System.nanoTime() - beganAt) / 1e9;
    }
}
