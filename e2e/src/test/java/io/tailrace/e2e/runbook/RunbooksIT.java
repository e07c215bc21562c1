package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.Ports;
import io.tailrace.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kafka.admin.ConfigCommand;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runbooks do what they say: their own commands are typed, under traffic, and the audit at their end is green and complete. */
@Tag("full")
class RunbooksIT {
    private static final String START = "./tailrace job --bootstrap kafka:9092 --store file:///var/tailrace/store"
            + " --folder /var/tailrace/flink --model llama@1,vocabulary=128256,tokenizer=FINGERPRINT";
    private static final String KEYS =
            " --signing-key /var/tailrace/keys/signing.pem --trusted-keys /var/tailrace/keys/trusted.pem";
    /** Typed by ComposeIT, which has containers. */
    private static final String OF_COMPOSE = "docker compose ";
    /** Typed by nobody: they need a cluster. RunbooksTest sees that the chart makes what they name. */
    private static final List<String> OF_A_CLUSTER = List.of(
            "kubectl describe flinkdeployment/tailrace-job",
            "kubectl delete pod -l app.kubernetes.io/name=flink,component=jobmanager",
            "kubectl logs deployment/engine --container agent --previous");

    private static final int TYPED_MIN = 25;
    private static final String WORKER = "http://worker:9464";
    private static final String AGENT = "./tailrace agent --listen /var/tailrace/agent.sock --bootstrap kafka:9092"
            + " --store file:///var/tailrace/store --scope acme --cache /var/tailrace/agent";

    @TempDir
    private Path folder;

    private final Map<String, String> places = new HashMap<>();
    private EmbeddedBroker broker;
    private PageRun run;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(folder.resolve("broker"), Ports.free(1)[0]);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
        Files.createDirectories(folder.resolve("backup"));
        Files.createDirectories(folder.resolve("tailrace-data/keys"));
        places.put("kafka:9092", broker.bootstrap());
        places.put("/var/tailrace", folder.resolve("tailrace-data").toString());
        places.put("/backup", folder.resolve("backup").toString());
        places.put("llama@1,vocabulary=128256,tokenizer=FINGERPRINT", Traffic.MODEL + " --lane-tokens 10000000");
        places.put("llama@1/default", "synthetic@1/acme");
        run = new PageRun(folder, places);
        traffic = new Traffic(folder);
    }

    @AfterEach
    void stop() {
        run.close();
        broker.close();
    }

    private static PageCommands page(String name, String section) {
        return PageCommands.of("docs/how-to/" + name + ".md").in(section);
    }

    private void send(String... more) {
        traffic.send(broker.bootstrap(), folder.resolve("tailrace-data/store"), more);
    }

    /** The page's audit was green; this one says that it was of every answer. */
    private void everyAnswerIsInTheBooks(String... more) throws Exception {
        Path json = folder.resolve("audit.json");
        run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --json " + json + " "
                + String.join(" ", more));
        assertThat(Files.readString(json))
                .contains(String.format(Locale.ROOT, "\"%,d read by the job's accounts", traffic.sent()), " 0 lost")
                .doesNotContainPattern("[1-9][0-9,]* lost");
    }

    private static void remove(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void theLastOfTwoBackupsRestoresWhatIsGoneAndKafkaHasTheRest() throws Exception {
        run.type(START);
        send();
        for (String day : List.of("/monday", "/tuesday")) {
            places.put("/DAY", day);
            run.type(page("restore", "## Back up"));
            send();
        }
        run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store");
        run.killJob();
        remove(folder.resolve("tailrace-data/store"));
        restoreWhereFlinksFolderIsGone();
        run.killJob();
        restoreWhereFlinksFolderIsGone();
    }

    private void restoreWhereFlinksFolderIsGone() throws Exception {
        remove(folder.resolve("tailrace-data/flink"));
        remove(folder.resolve(PageRun.SCRATCH));
        Files.createDirectories(folder.resolve(PageRun.SCRATCH));
        run.type(page("restore", "## Restore"));
        everyAnswerIsInTheBooks("--deep");
        send();
        everyAnswerIsInTheBooks("--deep");
    }

    @Test
    void aJobIsRescaledUpAndDown() throws Exception {
        run.type(START);
        send();
        for (int parallelism : new int[] {4, 1}) {
            places.put("PARALLELISM", Integer.toString(parallelism));
            Traffic.Flow meanwhile = traffic.flow(broker.bootstrap(), folder.resolve("tailrace-data/store"));
            run.type(page("rescale", "## Up or down"));
            assertThat(run.parallelism()).isEqualTo(parallelism);
            meanwhile.stop();
            everyAnswerIsInTheBooks("--deep");
        }
    }

    @Test
    void theSigningKeyIsRotated() throws Exception {
        Path keys = folder.resolve("tailrace-data/keys");
        run.type(PageCommands.of("docs/how-to/secure.md")
                .in("## Sign manifests and commands")
                .commands()
                .get(0)
                .replace("signing.pem", keys + "/signing.pem"));
        run.type("openssl pkey -in /var/tailrace/keys/signing.pem -pubout -out /var/tailrace/keys/trusted.pem");
        run.type(START + KEYS);
        send("--trusted-keys", keys + "/trusted.pem");
        run.type(page("rotate", "## The signing key"));
        assertThat(keys.resolve("signing.pem")).doesNotExist();
        assertThat(run.transcript())
                .as("versions that the new key alone has signed")
                .containsPattern("snapshots list .*second-trusted.pem\\n(?s).*\\d{13}");
        send("--trusted-keys", keys + "/both.pem");
        everyAnswerIsInTheBooks("--trusted-keys", keys + "/both.pem");
        send("--trusted-keys", keys + "/second-trusted.pem");
        everyAnswerIsInTheBooks("--trusted-keys", keys + "/both.pem");
    }

    @Test
    void anUpgradeUnderTrafficLosesNoAnswer() throws Exception {
        run.type(START);
        send();
        Traffic.Flow meanwhile = traffic.flow(broker.bootstrap(), folder.resolve("tailrace-data/store"));
        run.type(PageCommands.of("docs/how-to/upgrade.md")
                .in("## Stop and go on")
                .from(PageCommands.CTRL_C));
        meanwhile.stop();
        assertThat(traffic.sent()).as("batches while the job was away").isGreaterThan(3 * Traffic.REQUESTS);
        everyAnswerIsInTheBooks("--deep");
    }

    /** But for what asks containers or a cluster, which are not here: what that is, is said above by name. */
    @Test
    void whatAlertsRunbooksSayToTypeCanBeTyped() throws Exception {
        for (String there : List.of("tailrace-data/cache", "tailrace-data/spool", "backup/segments")) {
            Files.createDirectories(folder.resolve(there));
        }
        places.put(
                "s3://tailrace-segments/",
                folder.resolve("tailrace-data/store").toUri().toString());
        places.put(
                "s3://tailrace-state/", folder.resolve("tailrace-data").toUri().toString());
        places.put("HOST:PORT", broker.bootstrap());
        run.flink();
        run.program("kafka-configs.sh", ConfigCommand.class);
        run.type(START);
        send();
        Files.copy(folder.resolve("batch-0.jsonl.gz"), folder.resolve("requests.jsonl.gz"));
        List<String> left = new ArrayList<>();
        int typed = 0;
        for (String command : PageCommands.of("docs/how-to/runbooks.md").commands()) {
            if (command.startsWith(OF_COMPOSE) || OF_A_CLUSTER.contains(command)) {
                left.add(command);
            } else {
                typeWithAJob(command);
                typed++;
            }
        }
        send();
        everyAnswerIsInTheBooks("--deep");
        assertThat(run.transcript())
                .contains("audit", "topics create", "snapshots show", "snapshots list", "/jobs/overview")
                .contains("flink stop", "/health/live");
        assertThat(left).filteredOn(command -> !command.startsWith(OF_COMPOSE)).containsExactlyElementsOf(OF_A_CLUSTER);
        assertThat(typed).isGreaterThanOrEqualTo(TYPED_MIN);
        System.out.printf("typed %d commands of the runbooks; left %d: %s%n", typed, left.size(), left);
    }

    /** One job runs before each command and after it. */
    private void typeWithAJob(String command) throws Exception {
        if (command.startsWith("./tailrace job ")) {
            run.type(PageCommands.CTRL_C);
        }
        places.put("http://jobmanager:8081", run.dashboard());
        if (command.contains(WORKER)) {
            places.put(WORKER, run.keep(AGENT));
        }
        run.type(command);
        run.endKept();
        if (command.startsWith("flink stop ")) {
            run.type(START + " --restore SAVEPOINT");
        }
    }

    /** While the job is away nothing else mends it. */
    @Test
    void filesThatTheAuditMissesAreWrittenAgainFromACache() throws Exception {
        places.put(
                "s3://tailrace-segments/",
                folder.resolve("tailrace-data/store").toUri().toString());
        run.type(START);
        for (int batch = 0; batch < 2; batch++) { // the second one's client loads what the first one's answers became
            send();
            run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store --deep");
        }
        run.type(PageCommands.CTRL_C);
        Files.move(folder.resolve("cache"), folder.resolve("tailrace-data/cache"));
        int lost = 0;
        for (Path segment : segments("")) {
            if (cached(segment)) {
                Files.delete(segment);
                lost++;
            }
        }
        assertThat(lost).isPositive();
        List<String> remedy = page("runbooks", "### TailraceAuditFailed").commands();
        assertThat(run.exitOf(remedy.get(0))).isEqualTo(ExitCodes.FELL_SHORT);
        run.type(remedy.get(1));
        run.type(remedy.get(0));
        run.type(START + " --restore SAVEPOINT");
        everyAnswerIsInTheBooks("--deep");
    }

    private boolean cached(Path segment) throws IOException {
        try (var files = Files.walk(folder.resolve("tailrace-data/cache"))) {
            return files.anyMatch(file -> file.getFileName().equals(segment.getFileName()));
        }
    }

    @Test
    void aTenantWhoLeavesTakesAllOfItsTextAlong() throws Exception {
        run.type(START + " --sweep-grace-seconds 5");
        send();
        run.type("./tailrace audit --bootstrap kafka:9092 --store file:///var/tailrace/store");
        assertThat(segments("acme")).isNotEmpty();
        run.type(page("forget", "## When a tenant leaves"));
        everyAnswerIsInTheBooks("--deep");
        Awaitility.await("the tenant's segments to be gone")
                .atMost(Duration.ofMinutes(2))
                .until(() -> segments("acme").isEmpty());
        assertThat(segments("borealis")).isNotEmpty();
    }

    private List<Path> segments(String scope) throws IOException {
        try (var files = Files.walk(folder.resolve("tailrace-data/store"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> scope.isEmpty() || file.toString().contains("/" + scope + "/"))
                    .toList();
        }
    }
}
