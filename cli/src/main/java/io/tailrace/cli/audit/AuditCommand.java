package io.tailrace.cli.audit;

import io.tailrace.cli.snapshots.GivenKeys;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.KeyOptions;
import io.tailrace.terminal.Require;
import io.tailrace.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            "Exit code 1: a check failed, or with --fail-on-lost: tokens are lost. Checks again what changed meanwhile: the topics are read before the store."
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
            description = "The job's store: file: or s3:, the latter with what AWS_* variables say.")
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

    @Option(
            names = "--ids",
            paramLabel = "FILE",
            description =
                    "Request ids of generations that Kafka has acknowledged, one a line: each must be in a newest version once, or rejected, or among what the accounts say has left or waits.")
    private Path ids;

    @Option(
            names = "--fail-on-lost",
            description =
                    "Exit code 1 also where the books close and tokens are lost: files that the store lost or damaged, of which no copy was left. Default: a warning.")
    private boolean failOnLost;

    @Option(
            names = "--repair-from",
            arity = "1..*",
            paramLabel = "FOLDER",
            description =
                    "Write files that the store has lost or damaged again from copies in these folders, such as a worker's --cache. Default: nothing is written.")
    private List<Path> copies = List.of();

    @Bounds(min = 0)
    @Option(
            names = "--every-seconds",
            defaultValue = "0",
            paramLabel = "N",
            description =
                    "Audit again and again, N seconds after each audit, and serve what was found as metrics; 0: once. Default: ${DEFAULT-VALUE}.")
    private int everySeconds;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "With --every-seconds: where to serve; in a container 0.0.0.0. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Bounds(min = 0, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "9465",
            paramLabel = "P",
            description =
                    "With --every-seconds: port of /metrics and /health; 0: any free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (store.getScheme() == null) {
            throw new BadInputException(
                    "--store must be a URI with a scheme, such as file:///var/tailrace, got '%s'".formatted(store));
        }
        JsonFile.check(json);
        TrustedKeys keys = GivenKeys.trusted(trusted);
        Audit audit = new Audit(
                () -> new LoopTopics(kafka, keys),
                store,
                deep,
                Duration.ofSeconds(deleteSeconds),
                acknowledged(),
                copies);
        return everySeconds == 0 ? tell(audit.run()) : serve(audit);
    }

    /** Audits until Ctrl-C; what was found last is on the port. */
    private int serve(Audit audit) throws InterruptedException {
        Require.freePort("--port", host, port);
        try (Interruption interruption = Interruption.install();
                AuditMetrics metrics = new AuditMetrics();
                OperatorEndpoint operators = OperatorEndpoint.start(
                        host, port, () -> table(metrics.last()), metrics::scrape, () -> true, metrics::complete)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("metrics at http://%s:%d/metrics".formatted(host, operators.port()));
            do {
                round(audit, metrics, out);
            } while (!interruption.await(TimeUnit.SECONDS.toMillis(everySeconds)));
            return ExitCodes.DONE;
        }
    }

    /** What is wrong is said in every round; what is not, is on the port. */
    private static void round(Audit audit, AuditMetrics metrics, PrintWriter out) {
        try {
            List<Finding> findings = audit.run();
            metrics.found(findings);
            List<Finding> failed =
                    findings.stream().filter(AuditCommand::failed).toList();
            out.print(failed.isEmpty() ? "" : table(failed));
        } catch (IOException | RuntimeException e) {
            metrics.failedToRun();
            out.println("no audit: " + e.getMessage());
        }
        out.flush();
    }

    private Set<String> acknowledged() throws IOException {
        if (ids == null) {
            return Set.of();
        }
        try (Stream<String> lines = Files.lines(ids)) {
            return lines.map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.toSet());
        } catch (NoSuchFileException | UncheckedIOException e) {
            throw new BadInputException("--ids: cannot read %s as lines of UTF-8 text".formatted(ids));
        }
    }

    private static boolean failed(Finding finding) {
        return finding.result() == Finding.Result.FAILED;
    }

    private static String table(List<Finding> findings) {
        Table table = new Table("lane", "check", "result", "found");
        for (Finding finding : findings) {
            String lane = finding.lane().isEmpty() ? "all" : finding.lane();
            table.row(lane, finding.check(), word(finding), finding.detail());
        }
        StringWriter text = new StringWriter();
        PrintWriter lines = new PrintWriter(text);
        table.print(lines);
        lines.flush();
        return text.toString();
    }

    private static String word(Finding finding) {
        return finding.result().name().toLowerCase(Locale.ROOT);
    }

    private int tell(List<Finding> findings) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Finding finding : findings) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("lane", finding.lane());
            row.put("check", finding.check());
            row.put("result", word(finding));
            row.put("found", finding.detail());
            rows.add(row);
        }
        spec.commandLine().getOut().print(table(findings));
        spec.commandLine().getOut().flush();
        JsonFile.write(json, rows);
        PrintWriter err = spec.commandLine().getErr();
        err.print(warning(findings));
        err.flush();
        return exitCode(findings, failOnLost);
    }

    static int exitCode(List<Finding> findings, boolean failOnLost) {
        boolean wrong = findings.stream()
                .anyMatch(finding -> failed(finding) || (failOnLost && finding.result() == Finding.Result.LOST));
        return wrong ? ExitCodes.FELL_SHORT : ExitCodes.DONE;
    }

    /** What is said of tokens that are lost; empty: none are. */
    static String warning(List<Finding> findings) {
        List<String> lanes = findings.stream()
                .filter(finding -> finding.result() == Finding.Result.LOST)
                .map(Finding::lane)
                .toList();
        return lanes.isEmpty()
                ? ""
                : "tailrace: tokens are lost of %,d lanes, the first is %s: the store lost or damaged files, and no copy was left; is it the right store, and whole? Events SEGMENT_LOST name the files%n"
                        .formatted(lanes.size(), lanes.get(0));
    }
}
