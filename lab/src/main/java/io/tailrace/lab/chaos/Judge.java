package io.tailrace.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lets an installation come to rest, and looks whether every promise holds. */
final class Judge {
    private static final Duration REST_MAX = Duration.ofMinutes(3);

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
        Files.createFile(installation.folders().quiet());
        boolean green = run.tendUntil(this::settled, REST_MAX);
        boolean followed = green && run.tendUntil(() -> behind().isEmpty(), REST_MAX);
        TruthCheck.Found found = truth.check();
        List<String> broken = new ArrayList<>();
        faults(outcomes, broken);
        require(green, "the audit does not become green: " + failed(), broken);
        require(!green || followed, "workers do not follow: " + behind(), broken);
        require(
                found.onTopic() == found.told(),
                "%d of %d answers that somebody has whole are not on topic generations"
                        .formatted(found.told() - found.onTopic(), found.told()),
                broken);
        require(
                found.differing() == 0,
                "%d records on topic generations are not the truth".formatted(found.differing()),
                broken);
        List<String> outside = installation.touchedOutside();
        require(outside.isEmpty(), "files outside of the run's folders were touched: " + outside, broken);
        List<String> workersEnded =
                installation.ended().stream().filter(Truth.WORKERS::contains).toList();
        require(workersEnded.isEmpty(), "workers ended by themselves: " + workersEnded, broken);
        return new Verdict(
                found.told(),
                found.onTopic(),
                found.differing(),
                versions.announced(),
                audit.findings(),
                green,
                installation.ended(),
                outside,
                broken);
    }

    private void faults(List<FaultOutcome> outcomes, List<String> broken) {
        for (FaultOutcome outcome : outcomes) {
            require(
                    !outcome.done() || (outcome.recovered() && outcome.wrong().isEmpty()),
                    FaultTable.line(outcome),
                    broken);
        }
        long p99 = Recoveries.of(outcomes).p99Millis();
        require(
                p99 <= recoveryMillisMax,
                "recovery p99 %,d ms, at most %,d are allowed".formatted(p99, recoveryMillisMax),
                broken);
    }

    private static void require(boolean holds, String wrong, List<String> broken) {
        if (!holds) {
            broken.add(wrong);
        }
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
        return truth.behind(versions.newest());
    }

    private List<String> failed() throws IOException {
        return audit.findings().stream()
                .filter(row -> !row.get("result").equals("ok"))
                .map(row -> row.get("lane") + " " + row.get("check") + ": " + row.get("found"))
                .toList();
    }
}
