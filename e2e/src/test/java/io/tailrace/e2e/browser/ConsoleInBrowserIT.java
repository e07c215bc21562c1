package io.tailrace.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tailrace.client.follow.LaneState;
import io.tailrace.e2e.loop.Fleet;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.PositionOutcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** An operator at a browser, a console, a loop and a worker. The tests are stages of one story and run in their order. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleInBrowserIT {
    private static final String SCOPE = "alpha";
    private static final LaneId LANE = Fleet.MODEL.lane(SCOPE);
    private static final String OF_LANE = "?lane=" + URLEncoder.encode(LANE.toString(), StandardCharsets.UTF_8);
    private static final String KEY = "5c0e5d0f8f0a4f0c9b7be1a6c2f7d1e3";
    private static final String TO_SIGN_ON = "/act" + OF_LANE + "&action=unpin";
    private static final Duration OBEYED_MAX = Duration.ofSeconds(60);
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"(\\w+)\"");

    @TempDir
    private static Path folder;

    private static LoopUnderLoad loop;
    private static LoopObserver observer;
    private static Fleet fleet;
    private static TopicReader topics;
    private static LoadWorker worker;
    private static RunningConsole console;
    private static Browser browser;

    @BeforeAll
    static void startAll() throws Exception {
        loop = LoopUnderLoad.start(
                LoopUnderLoad.options(folder.resolve("loop"), Fleet.MODEL).withJobArguments("--shards", "2"));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 390);
        topics = new TopicReader(loop.loop().bootstrap());
        worker = loop.addWorker("worker");
        for (int round = 0; round < 4; round++) {
            serve("round-" + round);
        }
        Path operators = Files.writeString(folder.resolve("operators"), KEY + " anna\n");
        console = new RunningConsole("--bootstrap", loop.loop().bootstrap(), "--operators", operators.toString());
        browser = Browser.start(folder);
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

    /** Ten answers that all begin alike, so that there is something to draft. */
    private static void serve(String id) {
        int[] answer = new int[60];
        for (int at = 0; at < answer.length; at++) {
            answer[at] = at % 20;
        }
        for (int i = 0; i < 10; i++) {
            answer[59] = id.hashCode() & 0xfff;
            answer[58] = i;
            worker.serve(fleet.request(id + "-" + i, SCOPE, answer.clone()));
        }
        fleet.awaitSettled();
        fleet.awaitLoaded(worker, SCOPE);
    }

    private static ConditionFactory soon(String what) {
        return Awaitility.await(what).atMost(OBEYED_MAX).pollInterval(Duration.ofMillis(200));
    }

    /** Opens a page again and again until it says so. */
    private static void awaitPage(String path, ThrowingRunnable check) {
        soon(path).untilAsserted(() -> {
            browser.open(console.url(path));
            check.run();
        });
    }

    private static long loaded() {
        return worker.views().stream()
                .map(LoadWorker.LaneView::state)
                .filter(state -> state.lane().equals(LANE))
                .mapToLong(LaneState::loadedVersion)
                .findFirst()
                .orElseThrow();
    }

    private static List<Control> commands() throws Exception {
        return topics.read(Topic.CONTROL, RecordCodec.CONTROL).stream()
                .filter(control -> control.getCommand() != Command.CLAIM && control.getCommand() != Command.TAKE_OVER)
                .toList();
    }

    private static Control lastCommand() throws Exception {
        List<Control> all = commands();
        return all.get(all.size() - 1);
    }

    private static List<Event> events(EventKind kind) throws Exception {
        return topics.read(Topic.EVENTS, RecordCodec.EVENT).stream()
                .filter(event -> event.getKind() == kind)
                .toList();
    }

    private static String in(String section, String rest) {
        return "//section[h2='%s']//%s".formatted(section, rest);
    }

    /** From the lane's page to the preview. */
    private static void preview(String section) throws Exception {
        browser.clickThrough(in(section, "button"));
    }

    private static String confirmed() throws Exception {
        browser.clickThrough(in("Confirm", "button"));
        return browser.text();
    }

    @Test
    @Order(1)
    void figuresAreWhatADullRecountOfTheTopicSays() throws Exception {
        long[] drafted = new long[64];
        long[] accepted = new long[64];
        Map<String, long[]> sources = new TreeMap<>();
        long tokens = 0;
        long steps = 0;
        for (Outcome outcome : topics.read(Topic.OUTCOMES, RecordCodec.OUTCOME)) {
            steps += outcome.getSteps();
            tokens += outcome.getResponseTokens();
            for (int at = 0; at < outcome.getByPosition().size(); at++) {
                PositionOutcome there = outcome.getByPosition().get(at);
                drafted[at] += there.getDrafted();
                accepted[at] += there.getAccepted();
            }
            assertThat(outcome.getByPosition().stream()
                            .mapToInt(PositionOutcome::getAccepted)
                            .sum())
                    .as("an accepted token is at one position")
                    .isEqualTo(outcome.getAccepted());
            outcome.getBySource().forEach(part -> {
                long[] sum = sources.computeIfAbsent(part.getSource(), name -> new long[2]);
                sum[0] += part.getDrafted();
                sum[1] += part.getAccepted();
            });
        }
        assertThat(drafted[0]).isPositive();
        List<List<String>> positions = new ArrayList<>();
        for (int at = 0; at < 64 && drafted[at] > 0; at++) {
            positions.add(row(Integer.toString(at + 1), drafted[at], accepted[at]));
        }
        List<List<String>> bySource = new ArrayList<>();
        sources.forEach((name, sum) -> bySource.add(row(name, sum[0], sum[1])));
        String tokensPerStep = String.format(Locale.ROOT, "%.2f", (double) tokens / steps);
        awaitPage("/outcomes" + OF_LANE, () -> {
            assertThat(browser.table("By position")).isEqualTo(positions);
            assertThat(browser.table("By source")).isEqualTo(bySource);
            assertThat(browser.text()).contains(tokensPerStep);
        });
        SnapshotManifest newest = topics.newest();
        awaitPage(
                "/lane" + OF_LANE,
                () -> assertThat(browser.table("Versions, newest first").get(0).get(0))
                        .isEqualTo(Long.toString(newest.getVersion())));
    }

    @Test
    @Order(1)
    void pageLearningIsWhatADullRecountOfTheManifestsSays() {
        awaitPage("/learning" + OF_LANE, () -> {
            SnapshotManifest newest = topics.newest();
            List<List<String>> drift = LearningRecount.drift(topics.served());
            assertThat(drift).hasSizeGreaterThan(1);
            assertThat(browser.table("Drift")).isEqualTo(drift);
            assertThat(browser.table("Weights by source")).isEqualTo(LearningRecount.weights(newest));
            assertThat(browser.tiles()).isEqualTo(LearningRecount.tiles(newest));
        });
    }

    private static List<String> row(String name, long drafted, long accepted) {
        return List.of(
                name,
                String.format(Locale.ROOT, "%,d", drafted),
                String.format(Locale.ROOT, "%,d", accepted),
                String.format(Locale.ROOT, "%.2f", 100.0 * accepted / drafted));
    }

    @Test
    @Order(2)
    void nothingIsDoneWithoutSigningOn() throws Exception {
        browser.open(console.url("/lane" + OF_LANE));
        preview("Pin");
        assertThat(browser.text()).as("it asks for name and key").doesNotContain("Confirm", LANE.toString());
        assertThat(console.answer(TO_SIGN_ON, null).statusCode()).isEqualTo(401);
        assertThat(console.answer(TO_SIGN_ON, "anna:" + "0".repeat(KEY.length()))
                        .statusCode())
                .isEqualTo(401);
        assertThat(commands()).isEmpty();
    }

    @Test
    @Order(3)
    void theWorkerFollowsAPinThatWasConfirmedAndAnUnpin() throws Exception {
        long newest = loaded();
        long earlier = topics.manifests().get(0).getVersion();
        assertThat(earlier).isLessThan(newest);
        browser.open(console.url("anna", KEY, TO_SIGN_ON));
        assertThat(browser.text()).contains("Nothing has happened yet");
        browser.open(console.url("/lane" + OF_LANE));
        browser.click(in("Pin", "select/option[.='%d']".formatted(earlier)));
        preview("Pin");
        assertThat(browser.table("Who serves what"))
                .containsExactly(List.of("worker", Long.toString(newest), Long.toString(earlier), "yes"));
        assertThat(commands()).isEmpty();
        assertThat(confirmed()).contains("Done.", "1 of 1 live workers have followed");
        assertThat(loaded()).isEqualTo(earlier);
        assertThat(lastCommand().getCommand()).isEqualTo(Command.PIN);
        assertThat(lastCommand().getVersion()).isEqualTo(earlier);
        assertThat(lastCommand().getIssuer()).isEqualTo("anna");
        awaitPage("/lane" + OF_LANE, () -> assertThat(browser.text()).contains("Pinned to version " + earlier));
        preview("Unpin");
        assertThat(confirmed()).contains("Done.");
        soon("the worker to follow again").until(() -> loaded() == newest);
    }

    /** The other site has what it could never have: a token that would be good. */
    @Test
    @Order(4)
    void aPageOfAnotherSiteChangesNothingThoughTheBrowserIsSignedOn() throws Exception {
        int before = commands().size();
        HttpServer evil = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String form = "<form method=post action='%s'><input name=token value=%s><button>Win</button></form>"
                .formatted(console.url("/act"), token());
        evil.createContext("/", exchange -> {
            byte[] page = form.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        evil.start();
        try {
            browser.open("http://127.0.0.1:%d/".formatted(evil.getAddress().getPort()));
            browser.clickThrough("//button");
            assertThat(browser.text()).contains("Not done", "not sent from a page of this console");
        } finally {
            evil.stop(0);
        }
        assertThat(commands()).hasSize(before);
    }

    private static String token() throws Exception {
        String page = console.answer(TO_SIGN_ON, "anna:" + KEY).body();
        Matcher token = TOKEN.matcher(page);
        assertThat(token.find()).as(page).isTrue();
        return token.group(1);
    }

    @Test
    @Order(5)
    void aRollbackIsAnnouncedAsAHigherVersion() throws Exception {
        long before = loaded();
        long target = topics.manifests().get(0).getVersion();
        browser.open(console.url("/lane" + OF_LANE));
        browser.click(in("Roll back", "select/option[.='%d']".formatted(target)));
        preview("Roll back");
        assertThat(browser.text()).contains("What was indexed since is dropped for good");
        assertThat(confirmed()).contains("1 of 1 live workers have followed");
        soon("the rollback's announcement").until(() -> topics.newest().getCause() == AnnouncementCause.ROLLBACK);
        assertThat(topics.newest().getVersion()).isGreaterThan(before);
        assertThat(events(EventKind.ROLLED_BACK)).hasSize(1);
        fleet.awaitLoaded(worker, SCOPE);
    }

    @Test
    @Order(6)
    void aPolicyThatIsAdoptedUnjudgedIsInTheNextVersion() throws Exception {
        browser.open(console.url("/lane" + OF_LANE));
        browser.type(in("Propose a policy", "input[@name='budget']"), "8");
        browser.click(in("Propose a policy", "select[@name='judge']/option[.='no']"));
        preview("Propose a policy");
        assertThat(browser.table("What that changes")).contains(List.of("budget", "16", "8"));
        assertThat(confirmed()).contains("Done.", "PROPOSE_POLICY");
        soon("the policy").until(() -> topics.newest().getPolicy().getBudgetMax() == 8);
        awaitPage(
                "/learning" + OF_LANE,
                () -> assertThat(browser.table("What the judge said"))
                        .anySatisfy(trial ->
                                assertThat(trial).contains("adopted").anyMatch(cell -> cell.contains("anna"))));
    }

    @Test
    @Order(7)
    void aDeletedRequestIsGone() throws Exception {
        serve("last");
        awaitPage("/generation?id=last-3", () -> assertThat(browser.text()).contains("last-3: accepted"));
        preview("Delete it from " + LANE);
        assertThat(browser.table("Lanes that it reaches")).hasSize(1);
        assertThat(confirmed()).contains("Done.", "DELETE_REQUEST");
        Control delete = lastCommand();
        assertThat(delete.getRequestId()).isEqualTo("last-3");
        assertThat(delete.getScope()).isEqualTo(SCOPE);
        assertThat(events(EventKind.DELETED))
                .anySatisfy(event -> assertThat(event.getNumbers().get("issuedTo"))
                        .isGreaterThanOrEqualTo(delete.getIssuedAt().toEpochMilli()));
        awaitPage("/generation?id=last-3", () -> assertThat(browser.text()).contains("last-3: deleted"));
        browser.open(console.url("/generation?id=last-4"));
        assertThat(browser.text()).contains("last-4: accepted");
    }

    private static List<String> kinds() throws Exception {
        return browser.table("Newest first").stream().map(row -> row.get(1)).toList();
    }

    /** Until the page that is open says so by itself. */
    private static void awaitTold(String message) throws Exception {
        Event event = Event.newBuilder()
                .setKind(EventKind.OTHER)
                .setMessage(message)
                .setAt(Instant.now())
                .build();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", loop.loop().bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(Topic.EVENTS.name(""), RecordCodec.EVENT.encode(event)))
                    .get();
        }
        soon(message)
                .untilAsserted(() -> assertThat(browser.table("Newest first")).anyMatch(row -> row.contains(message)));
    }

    @Test
    @Order(8)
    void aTableIsSortedByKeyboardAndStaysSoWhileThePageFollows() throws Exception {
        String column = "//table[caption='Events']//th[.='kind']/button";
        browser.open(console.url("/events"));
        List<String> newestFirst = kinds();
        assertThat(newestFirst).contains("PINNED", "ROLLED_BACK");
        browser.press(column, Browser.ENTER);
        assertThat(kinds()).isSorted().containsExactlyInAnyOrderElementsOf(newestFirst);
        browser.press(column, Browser.SPACE);
        assertThat(kinds()).isSortedAccordingTo(Comparator.reverseOrder());
        browser.click("//button[.='Follow']");
        awaitTold("it came while the page followed");
        assertThat(kinds()).contains("OTHER").isSortedAccordingTo(Comparator.reverseOrder());
        browser.script("document.querySelector('thead button').focus();");
        awaitTold("and another one");
        assertThat(browser.script("return document.activeElement.matches('thead button');")
                        .asBoolean())
                .as("the keyboard is where it was")
                .isTrue();
    }

    @Test
    @Order(9)
    void aPointOfTheVersionsChartSaysWhyTheVersionWasMade() {
        awaitPage(
                "/lane" + OF_LANE,
                () -> assertThat(browser.script("""
                        const chart = Chart.getChart(document.querySelector("canvas"));
                        const index = chart.data.datasets[0].data.length - 1;
                        chart.tooltip.setActiveElements([{ datasetIndex: 0, index }], { x: 0, y: 0 });
                        chart.update();
                        return chart.tooltip.body[0].after.join();
                        """).asText())
                        .isEqualTo(topics.newest().getCause().toString()));
    }

    @Test
    @Order(10)
    void everyPageCanBeReadByEverybodyAndOnASmallScreen() throws Exception {
        List<String> pages = List.of(
                "/",
                "/lane" + OF_LANE,
                "/learning" + OF_LANE,
                "/outcomes" + OF_LANE,
                "/events",
                "/rejections",
                "/generation?id=last-3",
                "/books",
                "/act" + OF_LANE + "&action=delete",
                "/act" + OF_LANE + "&action=pin&version=1");
        for (String page : pages) {
            for (String scheme : List.of("light", "dark")) {
                browser.colours(scheme);
                browser.open(console.url(page));
                assertThat(browser.violations()).as("%s, %s", page, scheme).isEmpty();
            }
            assertThat(browser.widthOn(390)).as(page).isLessThanOrEqualTo(390);
        }
    }

    /** It is the last: nothing of the scope is left. */
    @Test
    @Order(11)
    void aDeletedScopeHasNoDocuments() throws Exception {
        browser.open(console.url("/lane" + OF_LANE));
        preview("Delete the scope");
        assertThat(confirmed()).contains("Done.", "DELETE_SCOPE");
        assertThat(lastCommand().getModel()).isNull();
        soon("an empty lane")
                .untilAsserted(() -> assertThat(topics.served())
                        .allSatisfy(
                                manifest -> assertThat(manifest.getSegments()).isEmpty()));
    }
}
