package io.tailrace.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.cli.Tailrace;
import io.tailrace.e2e.loop.Fleet;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.terminal.ExitCodes;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's figures as a browser shows them, each against a dull recount of the topics. */
@Tag("full")
class ConsoleFiguresIT {
    private static final List<String> SCOPES = List.of("alpha", "beta");
    private static final String DELETED = "beta-2";
    /** Three rounds, an answer that is given twice, and what is refused. */
    private static final int SENT = 3 * (3 + 3 + 1) + 2 + 5;

    private static final Duration SHOWN_MAX = Duration.ofSeconds(60);
    private static final Pattern AGE = Pattern.compile("(?:(\\d+) min )?(\\d+) s");

    @TempDir
    private static Path folder;

    private static LoopUnderLoad loop;
    private static LoopObserver observer;
    private static TopicReader topics;
    private static RunningConsole console;
    private static Browser browser;
    private static final Map<RejectionReason, RecordMetadata> REFUSED = new HashMap<>();

    /** Answers of two lanes, one of them repeated, one given twice, one deleted; and what the job refuses. */
    @BeforeAll
    static void startAll() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder.resolve("loop"), Fleet.MODEL)
                .withJobArguments("--shards", "2", "--lanes-max", "2"));
        observer = loop.observe();
        topics = new TopicReader(loop.loop().bootstrap());
        Fleet fleet = new Fleet(loop, observer, 391);
        LoadWorker worker = loop.addWorker("worker");
        for (int round = 0; round < 3; round++) {
            for (String scope : SCOPES) {
                serve(fleet, worker, scope, round);
                fleet.awaitSettled();
                fleet.awaitLoaded(worker, scope);
            }
        }
        Generation twice = generation("twice", "beta", 5, 6, 7, 8);
        send(fleet, twice);
        send(fleet, twice);
        refuse(fleet);
        delete(DELETED);
        Awaitility.await("what was sent")
                .atMost(SHOWN_MAX)
                .until(() -> topics.readRaw(Topic.GENERATIONS).size() == SENT);
        fleet.awaitSettled();
        SCOPES.forEach(scope -> fleet.awaitLoaded(worker, scope));
        console = new RunningConsole("--bootstrap", loop.loop().bootstrap());
        browser = Browser.start(folder);
    }

    /** One more for the first lane, of the same tokens in each round. */
    private static void serve(Fleet fleet, LoadWorker worker, String scope, int round) {
        for (int i = 0; i < 3; i++) {
            worker.serve(fleet.request("%s-%d".formatted(scope, 3 * round + i), scope));
        }
        if (scope.equals(SCOPES.get(0))) {
            int[] same = IntStream.range(0, 50).toArray();
            worker.serve(fleet.request("same-" + round, scope, same));
        }
    }

    private static void refuse(Fleet fleet) throws Exception {
        REFUSED.put(RejectionReason.UNDECODABLE, fleet.produce(null, "no record".getBytes(StandardCharsets.UTF_8)));
        REFUSED.put(
                RejectionReason.TOKEN_OUT_OF_VOCABULARY,
                send(fleet, generation("out", "alpha", 1, Fleet.MODEL.vocabularySize())));
        REFUSED.put(RejectionReason.EMPTY_RESPONSE, send(fleet, generation("empty", "beta")));
        Generation unknown = generation("unknown", "alpha", 1);
        unknown.getLane().setModel("another");
        REFUSED.put(RejectionReason.UNKNOWN_MODEL, send(fleet, unknown));
        REFUSED.put(RejectionReason.LANES_EXCEEDED, send(fleet, generation("third", "gamma", 1, 2, 3)));
    }

    private static void delete(String requestId) {
        int exit = Tailrace.commandLine()
                .execute(
                        "delete",
                        "--bootstrap",
                        loop.loop().bootstrap(),
                        "--scope",
                        "beta",
                        "--request",
                        requestId,
                        "--wait-seconds",
                        "60");
        assertThat(exit).isEqualTo(ExitCodes.DONE);
    }

    private static Generation generation(String id, String scope, int... response) {
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        return Generation.newBuilder()
                .setRequestId(id)
                .setLane(Fleet.MODEL.lane(scope).toLane())
                .setProducer("test")
                .setResponse(TokenIds.toList(response))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
    }

    private static RecordMetadata send(Fleet fleet, Generation generation) throws Exception {
        return fleet.produce(
                generation.getRequestId().getBytes(StandardCharsets.UTF_8), RecordCodec.GENERATION.encode(generation));
    }

    @AfterAll
    static void stopAll() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (console != null) {
            console.close();
        }
        if (observer != null) {
            observer.close();
        }
        if (loop != null) {
            loop.close();
        }
    }

    /** Opens a page, and again until it says so: the topics go on while it is looked at. */
    private static void awaitPage(String path, ThrowingRunnable check) {
        Awaitility.await(path)
                .atMost(SHOWN_MAX)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    browser.open(console.url(path));
                    check.run();
                });
    }

    private static String name(Lane lane) {
        return "%s@%s/%s".formatted(lane.getModel(), lane.getRevision(), lane.getScope());
    }

    private static String lane(String scope) {
        return name(Fleet.MODEL.lane(scope).toLane());
    }

    private static String ofLane(String page, String scope) {
        return page + "?lane=" + URLEncoder.encode(lane(scope), StandardCharsets.UTF_8);
    }

    private static String text(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String ratio(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f", (double) part / whole);
    }

    /** To the second. */
    private static String text(Instant time) {
        return time.toString().substring(0, 19).replace('T', ' ');
    }

    private static long sum(SnapshotManifest manifest, ToLongFunction<SegmentReference> figure) {
        return manifest.getSegments().stream().mapToLong(figure).sum();
    }

    private static long liveTokens(SnapshotManifest manifest) {
        return sum(manifest, SegmentReference::getLiveTokens);
    }

    /** A lane's versions that topic snapshots announces and does not withdraw, by their number. */
    private static NavigableMap<Long, SnapshotManifest> versions(String scope) throws Exception {
        TreeMap<Long, SnapshotManifest> versions = new TreeMap<>();
        for (SnapshotManifest manifest : topics.served()) {
            if (manifest.getLane().getScope().equals(scope)) {
                versions.put(manifest.getVersion(), manifest);
            }
        }
        return versions;
    }

    private static SnapshotManifest newest(String scope) throws Exception {
        return versions(scope).lastEntry().getValue();
    }

    /** What the worker has reported last. */
    private static WorkerStatus status(String scope) throws Exception {
        return topics.read(Topic.WORKERS, RecordCodec.WORKER_STATUS).stream()
                .filter(status -> status.getLane().getScope().equals(scope))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private static List<Outcome> outcomes(String scope) throws Exception {
        return topics.read(Topic.OUTCOMES, RecordCodec.OUTCOME).stream()
                .filter(outcome -> outcome.getLane().getScope().equals(scope))
                .toList();
    }

    private static String gain(String scope) throws Exception {
        long alone = 0;
        long shared = 0;
        for (Outcome outcome : outcomes(scope)) {
            assertThat(outcome.getCounterfactuals()).hasSize(1);
            alone += outcome.getCounterfactuals().get(0).getSteps();
            shared += outcome.getSteps();
        }
        return ratio(alone, shared);
    }

    @Test
    void thePageOfLanesHasTheNewestManifestsSizesAndTheWorkersReports() {
        awaitPage("/", () -> {
            long tokens = 0;
            List<List<String>> rows = browser.table("All lanes");
            assertThat(rows).hasSize(SCOPES.size());
            for (int at = 0; at < SCOPES.size(); at++) {
                SnapshotManifest newest = newest(SCOPES.get(at));
                requireLane(rows.get(at), SCOPES.get(at), newest);
                tokens += liveTokens(newest);
            }
            assertThat(browser.tiles())
                    .containsExactly(
                            Map.entry("lanes", text(SCOPES.size())),
                            Map.entry("live tokens", text(tokens)),
                            Map.entry("stale lanes", "0"),
                            Map.entry("drift alarms", "0"));
        });
    }

    private static void requireLane(List<String> row, String scope, SnapshotManifest newest) throws Exception {
        LaneStatistics statistics = newest.getStatistics();
        WorkerStatus status = status(scope);
        assertThat(status.getLoadedVersion()).isEqualTo(newest.getVersion());
        assertThat(newest.getDrift().getAlarm()).isFalse();
        assertThat(status.getFreshnessP50Millis()).isNotNegative();
        requireAge(row.get(1), newest.getCreatedAt());
        List<String> rest = new ArrayList<>(row);
        rest.remove(1);
        assertThat(rest)
                .containsExactly(
                        lane(scope),
                        text(account(scope).get("tokensPending")),
                        "1",
                        "1",
                        "no",
                        text(status.getFreshnessP50Millis()),
                        ratio(statistics.getResponseTokens(), statistics.getSteps()),
                        gain(scope),
                        text(sum(newest, SegmentReference::getDocuments)),
                        text(liveTokens(newest)),
                        Long.toString(newest.getVersion()));
    }

    private static void requireAge(String shown, Instant since) {
        Matcher age = AGE.matcher(shown);
        assertThat(age.matches()).as(shown).isTrue();
        long seconds = Long.parseLong(age.group(2)) + (age.group(1) == null ? 0 : 60 * Long.parseLong(age.group(1)));
        assertThat(Duration.ofSeconds(seconds)).isBetween(Duration.ZERO, Duration.between(since, Instant.now()));
        assertThat(Duration.ofSeconds(seconds).plus(SHOWN_MAX))
                .as("the page is of a moment ago")
                .isGreaterThan(Duration.between(since, Instant.now()));
    }

    /** Each answer has a prompt of its own, so each is a document. */
    @Test
    void theNewestManifestsSizesAreThoseOfTheAnswersOnTheTopic() throws Exception {
        for (String scope : SCOPES) {
            List<Generation> held = admitted(scope);
            held.removeIf(generation -> generation.getRequestId().equals(DELETED));
            assertThat(liveTokens(newest(scope))).isEqualTo(tokens(held));
            assertThat(sum(newest(scope), SegmentReference::getDocuments)).isEqualTo(held.size());
        }
    }

    @Test
    void theLanesPageHasEveryVersionAndWhoServesIt() {
        awaitPage(ofLane("/lane", "alpha"), () -> {
            Collection<SnapshotManifest> versions =
                    versions("alpha").descendingMap().values();
            WorkerStatus status = status("alpha");
            assertThat(browser.table("Versions, newest first"))
                    .isEqualTo(versions.stream()
                            .map(version -> row(version, status.getLoadedVersion()))
                            .toList());
            assertThat(versions).hasSizeGreaterThan(1);
            assertThat(charted())
                    .isEqualTo(versions("alpha").values().stream()
                            .map(version -> List.of(version.getCreatedAt().toEpochMilli(), liveTokens(version)))
                            .toList());
            assertThat(browser.tiles())
                    .containsExactly(
                            Map.entry("versions", text(versions.size())),
                            Map.entry("live workers", "1"),
                            Map.entry("behind the newest", "0"));
            requireWorker(browser.table("Who serves what"), status);
        });
    }

    private static List<String> row(SnapshotManifest version, long loaded) {
        return List.of(
                Long.toString(version.getVersion()),
                text(version.getCreatedAt()),
                version.getCause().toString(),
                text(version.getSegments().size()),
                text(sum(version, SegmentReference::getDocuments)),
                text(liveTokens(version)),
                text(version.getPolicy().getNumber()),
                version.getVersion() == loaded ? "1" : "0");
    }

    private static List<List<Long>> charted() throws Exception {
        List<List<Long>> points = new ArrayList<>();
        for (JsonNode point : browser.script(
                "return Chart.getChart(document.querySelector('canvas')).data.datasets[0].data.map(one => [one.x, one.y]);")) {
            points.add(List.of(point.get(0).asLong(), point.get(1).asLong()));
        }
        return points;
    }

    private static void requireWorker(List<List<String>> rows, WorkerStatus status) throws Exception {
        List<Outcome> outcomes = outcomes("alpha");
        long accepted = outcomes.stream().mapToLong(Outcome::getAccepted).sum();
        long steps = outcomes.stream().mapToLong(Outcome::getSteps).sum();
        assertThat(accepted).isPositive();
        assertThat(rows).hasSize(1);
        List<String> row = new ArrayList<>(rows.get(0));
        assertThat(row.remove(4)).as("last seen").endsWith(" s ago");
        assertThat(row)
                .containsExactly(
                        "worker",
                        Long.toString(status.getLoadedVersion()),
                        "0",
                        "0 s",
                        "yes",
                        text(status.getFreshnessP50Millis()),
                        text(status.getFreshnessP99Millis()),
                        ratio(accepted, steps),
                        text(status.getFailures()),
                        "-");
    }

    @Test
    void thePageOfOutcomesHasTheirMatchLengthsAndTheNewestVersionsCostCurve() throws Exception {
        Map<Integer, long[]> lengths = new TreeMap<>();
        for (Outcome outcome : outcomes("alpha")) {
            for (SourceOutcome part : outcome.getBySource()) {
                long[] sums = lengths.computeIfAbsent(part.getMatchLengthMin(), length -> new long[2]);
                sums[0] += part.getDrafted();
                sums[1] += part.getAccepted();
            }
        }
        assertThat(lengths).hasSizeGreaterThan(1);
        List<List<String>> byLength = new ArrayList<>();
        lengths.forEach((length, sums) ->
                byLength.add(List.of(text(length), text(sums[0]), text(sums[1]), ratio(100 * sums[1], sums[0]))));
        awaitPage(ofLane("/outcomes", "alpha"), () -> {
            List<CostPoint> costs = newest("alpha").getPolicy().getCostCurve();
            assertThat(costs).isNotEmpty();
            assertThat(browser.table("By match length")).isEqualTo(byLength);
            assertThat(browser.table("Cost curve by worker class"))
                    .isEqualTo(costs.stream().map(ConsoleFiguresIT::row).toList());
        });
    }

    private static List<String> row(CostPoint point) {
        return List.of(
                point.getWorkerClass(),
                text(point.getBatch()),
                text(point.getVerifiedTokens()),
                String.format(Locale.ROOT, "%.2f", point.getMicros() / 1_000.0));
    }

    @Test
    void everyRejectionIsShownWithItsRequestAndReason() throws Exception {
        List<Rejection> rejections = topics.read(Topic.REJECTIONS, RecordCodec.REJECTION);
        assertThat(rejections).extracting(Rejection::getReason).containsExactlyInAnyOrderElementsOf(REFUSED.keySet());
        List<List<String>> expected = new ArrayList<>();
        for (Rejection rejection : rejections) {
            RecordMetadata sent = REFUSED.get(rejection.getReason());
            expected.add(List.of(
                    text(rejection.getRejectedAt()),
                    rejection.getReason().toString(),
                    rejection.getLane() == null ? "-" : name(rejection.getLane()),
                    rejection.getRequestId() == null ? "-" : rejection.getRequestId(),
                    "%s-%d at offset %d".formatted(sent.topic(), sent.partition(), sent.offset()),
                    rejection.getDetail()));
        }
        assertThat(expected)
                .extracting(row -> row.get(3))
                .containsExactlyInAnyOrder("-", "out", "empty", "unknown", "-");
        Collections.reverse(expected);
        awaitPage("/rejections", () -> assertThat(browser.table("Newest first")).isEqualTo(expected));
    }

    @Test
    void everyEventButAnAccountIsShownWithItsNumbers() throws Exception {
        awaitPage("/events", () -> {
            List<List<String>> expected = new ArrayList<>();
            for (Event event : topics.read(Topic.EVENTS, RecordCodec.EVENT)) {
                if (event.getKind() != EventKind.ACCOUNTING) {
                    String numbers = new TreeMap<>(event.getNumbers())
                            .entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
                    expected.add(List.of(
                            text(event.getAt()),
                            event.getKind().toString(),
                            event.getLane() == null ? "all" : name(event.getLane()),
                            event.getMessage(),
                            numbers));
                }
            }
            assertThat(expected).extracting(row -> row.get(1)).contains("DELETED");
            Collections.reverse(expected);
            assertThat(browser.table("Newest first")).isEqualTo(expected);
        });
    }

    /** What the job told of a lane last. */
    private static Map<String, Long> account(String scope) throws Exception {
        return topics.read(Topic.EVENTS, RecordCodec.EVENT).stream()
                .filter(event -> event.getKind() == EventKind.ACCOUNTING
                        && event.getLane() != null
                        && event.getLane().getScope().equals(scope))
                .reduce((before, after) -> after)
                .orElseThrow()
                .getNumbers();
    }

    /** A lane's answers on topic generations that the job did not refuse, each request's once. */
    private static List<Generation> admitted(String scope) throws Exception {
        Set<List<Number>> refused = new HashSet<>();
        REFUSED.values().forEach(place -> refused.add(List.of(place.partition(), place.offset())));
        Map<String, Generation> byId = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readRaw(Topic.GENERATIONS)) {
            if (!refused.contains(List.<Number>of(record.partition(), record.offset()))) {
                Generation generation = RecordCodec.GENERATION.decode(record.value());
                if (generation.getLane().getScope().equals(scope)) {
                    byId.put(generation.getRequestId(), generation);
                }
            }
        }
        return new ArrayList<>(byId.values());
    }

    private static long tokens(List<Generation> generations) {
        return generations.stream()
                .mapToLong(generation -> generation.getResponse().size())
                .sum();
    }

    @Test
    void theBooksTermsAreWhatWasSent() throws Exception {
        List<List<String>> expected = new ArrayList<>();
        expected.add(List.of(
                "all",
                "records",
                "ok",
                "%s read by the job's accounts, %s ever written to topic generations; at most 0 wait"
                        .formatted(text(SENT), text(SENT))));
        for (String scope : SCOPES) {
            List<Generation> admitted = admitted(scope);
            long all = tokens(admitted);
            long deleted = tokens(admitted.stream()
                    .filter(generation -> generation.getRequestId().equals(DELETED))
                    .toList());
            expected.add(List.of(
                    lane(scope),
                    "tokens",
                    "ok",
                    "%s admitted; %s live, 0 pending, 0 expired, %s deleted, 0 lost"
                            .formatted(text(all), text(all - deleted), text(deleted))));
            expected.add(List.of(lane(scope), "deletes", "ok", "none waits"));
        }
        awaitPage("/books", () -> {
            assertThat(browser.table("Checks")).isEqualTo(expected);
            assertThat(browser.tiles())
                    .containsExactly(Map.entry("checks", text(expected.size())), Map.entry("failed", "0"));
        });
    }
}
