package io.tailrace.cli.audit;

import io.tailrace.cli.snapshots.GivenKeys;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.schemas.Topic;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.KeyOptions;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace audit}: whether an installation's books close. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Checks the books of a running installation: tokens and records by the job's accounts, versions, their files in the store, deletes that wait.",
            "Exit code 1: a check failed. Checks again what changed meanwhile: the topics are read before the store."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace audit --bootstrap localhost:9092 --store file:///var/tailrace/store --deep")
public final class AuditCommand implements Callable<Integer> {
    @Mixin
    private BrokerOptions kafka = new BrokerOptions();

    @Mixin
    private KeyOptions.Trusted trusted = new KeyOptions.Trusted();

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URI",
            description = "The job's store: a folder, or what this machine's Flink file systems reach.")
    private URI store;

    @Option(
            names = "--deep",
            description =
                    "Read every byte of every announced file, and compare the newest version of each lane with topic generations, answer by answer.")
    private boolean deep;

    @Bounds(min = 1)
    @Option(
            names = "--delete-seconds",
            defaultValue = "900",
            paramLabel = "N",
            description = "A delete that waits longer fails the check; the job's option. Default: ${DEFAULT-VALUE}.")
    private long deleteSeconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the findings as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (store.getScheme() == null) {
            throw new BadInputException(
                    "--store must be a URI with a scheme, such as file:///var/tailrace, got '%s'".formatted(store));
        }
        JsonFile.check(json);
        List<Finding> findings = new ArrayList<>();
        try (LoopTopics topics = new LoopTopics(kafka, GivenKeys.trusted(trusted));
                DurableStore files = FlinkFileStore.factory(store).open()) {
            InstallationFacts facts = InstallationFacts.read(topics, deep);
            findings.add(records(facts, topics.everWritten(Topic.GENERATIONS)));
            boolean complete = topics.removed(Topic.GENERATIONS) == 0;
            for (LaneFacts lane : facts.lanes()) {
                findings.addAll(audit(lane, files, complete));
            }
        }
        return tell(findings);
    }

    private static Finding records(InstallationFacts facts, long written) {
        long accounted = facts.recordsAccounted();
        return Finding.of(
                "",
                "records",
                accounted <= written,
                "%,d read by the job's accounts, %,d ever written to topic generations; at most %,d wait"
                        .formatted(accounted, written, Math.max(0, written - accounted)));
    }

    private List<Finding> audit(LaneFacts lane, DurableStore files, boolean complete) throws IOException {
        LaneAudit audit = new LaneAudit(lane);
        StoredFiles stored = new StoredFiles(files, lane);
        Map<String, Long> sizes = stored.sizes();
        if (deep) {
            readAll(stored);
        }
        List<Finding> findings = new ArrayList<>(List.of(
                audit.tokens(),
                audit.versions(),
                audit.files(sizes, stored.damaged()),
                audit.deletes(System.currentTimeMillis(), Duration.ofSeconds(deleteSeconds))));
        if (deep) {
            findings.add(audit.answers(stored.held(), complete));
        }
        return findings;
    }

    private static void readAll(StoredFiles stored) throws IOException {
        Path folder = Files.createTempDirectory("tailrace-audit");
        try {
            stored.readAll(folder);
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private int tell(List<Finding> findings) throws IOException {
        Table table = new Table("lane", "check", "result", "found");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Finding finding : findings) {
            String result = finding.result().name().toLowerCase(Locale.ROOT);
            table.row(finding.lane().isEmpty() ? "all" : finding.lane(), finding.check(), result, finding.detail());
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("lane", finding.lane());
            row.put("check", finding.check());
            row.put("result", result);
            row.put("found", finding.detail());
            rows.add(row);
        }
        table.print(spec.commandLine().getOut());
        spec.commandLine().getOut().flush();
        JsonFile.write(json, rows);
        boolean failed = findings.stream().anyMatch(finding -> finding.result() == Finding.Result.FAILED);
        return failed ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
    }
}
