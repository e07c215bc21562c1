package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** Lets an installation come to rest, and looks whether every promise holds. */
final class Judge {
    private static final Duration REST_MAX = Duration.ofMinutes(3);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);

    private final Installation installation;
    private final VersionWatch versions;
    private final ChaosRun run;
    private final AuditJudge audit;
    private final TruthCheck truth;
    private final long recoveryMillisMax;

    Judge(Installation installation, VersionWatch versions, ChaosRun run, long seed, long recoveryMillisMax) {
        this.installation = installation;
        this.versions = versions;
        this.run = run;
        this.audit = new AuditJudge(installation);
        this.truth = new TruthCheck(installation, seed);
        this.recoveryMillisMax = recoveryMillisMax;
    }

    Verdict judge(List<FaultOutcome> outcomes) throws IOException, InterruptedException {
        Promises promises = new Promises();
        promises.faults(outcomes, recoveryMillisMax);
        requireAnswers(promises);
        Files.createFile(installation.folders().quiet());
        boolean green = run.tendUntil(this::settled, REST_MAX);
        boolean followed = green && run.tendUntil(() -> behind().isEmpty(), REST_MAX);
        TruthCheck.Found found = truth.check();
        promises.require(green, "the audit does not become green: " + failed());
        promises.require(!green || followed, "workers do not follow: " + behind());
        requireTruth(promises, found);
        List<String> outside = installation.touchedOutside();
        promises.require(outside.isEmpty(), "files outside of the run's folders were touched: " + outside);
        List<String> workersEnded =
                installation.ended().stream().filter(Truth.WORKERS::contains).toList();
        promises.require(workersEnded.isEmpty(), "workers ended by themselves: " + workersEnded);
        return new Verdict(
                found.told(),
                found.onTopic(),
                found.differing(),
                versions.announced(),
                audit.findings(),
                green,
                installation.ended(),
                outside,
                promises.broken());
    }

    /** While there still are requests. */
    private void requireAnswers(Promises promises) throws IOException, InterruptedException {
        Observation afterLastFault = run.observe();
        run.tendUntil(
                () -> Truth.WORKERS.stream().allMatch(worker -> run.observe().hasToldSince(afterLastFault, worker)),
                ANSWER_MAX);
        promises.answers(afterLastFault, run.observe());
    }

    private static void requireTruth(Promises promises, TruthCheck.Found found) {
        promises.require(
                found.onTopic() == found.told(),
                "%d of %d answers that somebody has whole are not on topic generations"
                        .formatted(found.told() - found.onTopic(), found.told()));
        promises.require(
                found.differing() == 0,
                "%d records on topic generations are not the truth".formatted(found.differing()));
    }

    private boolean settled() {
        try {
            Files.write(audit.ids(), truth.told());
            return audit.green();
        } catch (IOException notNow) {
            return false;
        }
    }

    private List<String> behind() {
        return run.observe().behind();
    }

    private List<String> failed() throws IOException {
        return audit.findings().stream()
                .filter(row -> !row.get("result").equals("ok"))
                .map(row -> row.get("lane") + " " + row.get("check") + ": " + row.get("found"))
                .toList();
    }
}
