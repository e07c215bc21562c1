package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every alert leads to a runbook that says what to look at, what to type and when it is over; its commands are commands that there are. */
class RunbooksTest {
    private static final PageCommands PAGE = PageCommands.of("docs/how-to/runbooks.md");
    private static final Set<String> OF_OTHERS = Set.of("curl", "df", "docker", "flink", "kafka-configs.sh", "kubectl");

    static Stream<String> alerts() {
        return ObservedMetricsTest.rules().stream().map(rule -> String.valueOf(rule.get("alert")));
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void everyAlertHasARunbookWithItsThreeParts(String alert) {
        assertThat(PAGE.section("### " + alert))
                .contains("**Look.**", "**Type.**", "**Over**")
                .containsPattern("(?m)^```sh$");
    }

    @Test
    void everyAlertLeadsToItsRunbook() {
        for (Map<String, Object> rule : ObservedMetricsTest.rules()) {
            String alert = String.valueOf(rule.get("alert"));
            assertThat(RepositoryFiles.map(rule.get("annotations")))
                    .containsEntry("runbook_url", "docs/how-to/runbooks.md#" + alert.toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void noRunbookIsOfAnAlertThatIsGone() {
        assertThat(PAGE.headings("### ")).containsExactlyInAnyOrderElementsOf(alerts().toList());
    }

    static List<String> commands() {
        return PAGE.commands();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsOneThatThereIs(String command) {
        List<String> words = PageCommands.words(command);
        if (words.get(0).equals("./tailrace")) {
            CommandLine tailrace = Tailrace.commandLine();
            tailrace.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        } else {
            assertThat(OF_OTHERS).contains(words.get(0));
        }
    }

    /** As in Compose: where Prometheus asks, or what is published. */
    @Test
    void whatIsAskedOverHttpAnswersAtThatPort() {
        String scraped = RepositoryFiles.text("deploy/prometheus/prometheus.yml");
        Map<String, Object> services =
                RepositoryFiles.map(RepositoryFiles.yaml("docker-compose.yml").get("services"));
        List<URI> asked = PAGE.commands().stream()
                .filter(command -> command.startsWith("curl "))
                .map(command -> URI.create(PageCommands.words(command).get(2)))
                .toList();
        assertThat(asked).hasSizeGreaterThan(2).allSatisfy(uri -> {
            boolean published =
                    RepositoryFiles.strings(RepositoryFiles.map(services.get(uri.getHost()))
                                    .get("ports"))
                            .stream()
                            .anyMatch(ports -> ports.endsWith(":" + uri.getPort()));
            assertThat(published || scraped.contains(uri.getAuthority())).isTrue();
        });
        assertThat(RenderedChart.containers(
                        RenderedChart.pods(RenderedChart.objects("everything")).get("Deployment/worker")))
                .as("the port of a pod that the page names")
                .anySatisfy(container ->
                        assertThat((List<?>) container.get("ports")).asString().contains("containerPort=9464"));
    }

    @Test
    void whatIsNamedInAClusterIsWhatTheChartMakes() {
        Set<String> made = new TreeSet<>();
        for (String way : RenderedChart.WAYS) {
            List<Map<String, Object>> objects = RenderedChart.objects(way);
            objects.forEach(
                    object -> made.add(String.valueOf(object.get("kind")).toLowerCase(Locale.ROOT) + "/"
                            + RepositoryFiles.map(object.get("metadata")).get("name")));
            RenderedChart.pods(objects)
                    .values()
                    .forEach(pod -> made.add(
                            RepositoryFiles.map(RepositoryFiles.map(pod.get("metadata"))
                                            .get("labels"))
                                    .entrySet()
                                    .stream()
                                    .filter(label -> Set.of("app.kubernetes.io/name", "component")
                                            .contains(label.getKey()))
                                    .map(label -> label.getKey() + "=" + label.getValue())
                                    .sorted()
                                    .collect(Collectors.joining(","))));
        }
        made.add("app=tailrace-job,configmap-type=high-availability"); // Flink's own, by its cluster's id
        assertThat(Stream.of(PAGE, PageCommands.of("docs/how-to/upgrade.md"), PageCommands.of("docs/how-to/restore.md"))
                        .flatMap(page -> page.commands().stream())
                        .filter(command -> command.startsWith("kubectl ")))
                .hasSize(7)
                .allSatisfy(command -> assertThat(PageCommands.words(command)).containsAnyElementsOf(made));
    }

    /** The bounds of both alerts are of the time between checkpoints that the job has by default. */
    @Test
    void whereTheTimeBetweenCheckpointsIsRaisedItSaysWhichAlertsStayOn() {
        assertThat(RepositoryFiles.text("docs/SCALE.md").split("\n\n"))
                .filteredOn(paragraph -> paragraph.contains("`--checkpoint-millis`"))
                .isNotEmpty()
                .allSatisfy(paragraph ->
                        assertThat(paragraph).contains("`TailraceFreshness`", "`TailraceCheckpointsFailing`"));
        assertThat(RepositoryFiles.text("docs/reference/options.md").lines())
                .anyMatch(line -> line.startsWith("| `--checkpoint-millis ") && line.contains("TailraceFreshness"));
    }

    /** A savepoint names files of the store, and each lies in a bucket of its own. */
    @Test
    void aBackupOfBucketsIsOfBothAndIsRestoredByTheChart() {
        Map<String, Object> store = RepositoryFiles.map(
                RepositoryFiles.yaml("deploy/helm/tailrace/values.yaml").get("store"));
        PageCommands page = PageCommands.of("docs/how-to/restore.md").in("## With buckets");
        List<String> copies = page.commands().stream()
                .filter(command -> command.startsWith("aws s3 sync "))
                .toList();
        for (String bucket : List.of(
                "s3://" + store.get("stateBucket") + "/savepoints/NAME",
                String.valueOf(store.get("segments")).replaceAll("/$", ""))) {
            assertThat(copies)
                    .as(bucket)
                    .anyMatch(command -> PageCommands.words(command).get(3).equals(bucket))
                    .anyMatch(command -> PageCommands.words(command).get(4).equals(bucket));
        }
        assertThat(RepositoryFiles.text("docs/how-to/restore.md"))
                .contains("job.restoreFrom", "store.stateBucket", "store.segments");
    }

    /** Whoever makes the secrets as the page says has made all that the chart asks for by default. */
    @Test
    void secretsAreMadeWithTheKeysThatTheChartReads() {
        Set<String> made = PageCommands.of("docs/how-to/run-a-fleet.md").commands().stream()
                .filter(command -> command.startsWith("kubectl -n tailrace create secret generic "))
                .map(PageCommands::words)
                .flatMap(words -> words.stream()
                        .skip(7)
                        .map(word -> words.get(6) + "/" + word.replaceAll("^--from-(file|literal)=|=[.]{3}$", "")))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Object> values = RepositoryFiles.yaml("deploy/helm/tailrace/values.yaml");
        Map<String, Object> store = RepositoryFiles.map(values.get("store"));
        Map<String, Object> keys = RepositoryFiles.map(values.get("keys"));
        assertThat(made)
                .containsExactlyInAnyOrder(
                        keys.get("signingSecret") + "/signing.pem",
                        keys.get("trustedSecret") + "/trusted.pem",
                        RepositoryFiles.map(values.get("kafka")).get("secret") + "/client.properties",
                        store.get("jobSecret") + "/access-key",
                        store.get("jobSecret") + "/secret-key",
                        store.get("readerSecret") + "/access-key",
                        store.get("readerSecret") + "/secret-key",
                        "tailrace-hugging-face/token");
        String rendered = RenderedChart.objects("default").toString();
        assertThat(made).allSatisfy(secret -> assertThat(rendered).contains(secret.split("/", 2)));
    }
}
