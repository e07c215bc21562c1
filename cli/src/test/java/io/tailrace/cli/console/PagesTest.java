package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.GenerationTrace;
import io.tailrace.cli.fleet.LaneFigures;
import io.tailrace.cli.snapshots.Deleted;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class PagesTest {
    private static final long NOW = System.currentTimeMillis();
    private static final Pattern CELL = Pattern.compile("<t[dh][^>]*>(.*?)</t[dh]>");
    private static final String HOSTILE = "<script>alert(1)</script>'\"&";

    private final FleetView fleet = new FleetView();
    private final Template template = new Template();

    private String html(Page page) {
        return template.html(page, "/", "", "", "");
    }

    /** The text of a page's table cells, row by row. */
    static List<String> cells(String html) {
        return CELL.matcher(html)
                .results()
                .map((MatchResult cell) -> cell.group(1).replaceAll("<[^>]*>", ""))
                .toList();
    }

    @Test
    void theFiguresOfThePageAreThoseOfTheView() {
        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            LaneId lane = new LaneId("toy", "1", "tenant-" + i);
            FleetRecords.announce(
                    fleet, FleetRecords.manifest(lane, NOW - random.nextInt(100_000), 1, random.nextInt(100_000), 0));
            FleetRecords.report(fleet, FleetRecords.status(lane, "w", NOW, NOW));
        }
        List<String> cells = cells(html(FleetPages.lanes(fleet, NOW)));
        for (LaneFigures lane : fleet.lanes(NOW)) {
            int at = cells.indexOf(lane.lane());
            assertThat(cells.subList(at, at + 12))
                    .containsExactly(
                            lane.lane(),
                            Figures.age(lane.ageMillis()),
                            "-",
                            "1",
                            "0",
                            lane.alarm() ? "yes" : "no",
                            "900",
                            "2.50",
                            "1.50",
                            "%,d".formatted(lane.documents()),
                            "%,d".formatted(lane.liveTokens()),
                            Long.toString(lane.newestVersion()));
        }
    }

    @Test
    void theFirstPageSaysWhichPageAnswersWhat() {
        Page first = FleetPages.lanes(fleet, NOW);
        String html = html(first);
        assertThat(cells(html))
                .contains(
                        "Which lane is stale?",
                        "Who serves an old version?",
                        "Why was this record refused?",
                        "What did the judge do last night?",
                        "Is anything lost?");
        String questions = html.substring(html.indexOf("<h2>Where to look</h2>"));
        assertThat(Template.PATHS.stream().filter(path -> !path.equals("/events")))
                .allSatisfy(path -> assertThat(questions).contains("href=\"" + path + "\""));
    }

    @Test
    void aHostileScopeAndAHostileRequestIdAreTextOnEveryPage() {
        LaneId lane = new LaneId(HOSTILE, "1", HOSTILE);
        for (int i = 0; i < 3; i++) {
            FleetRecords.announce(fleet, FleetRecords.manifest(lane, NOW - i, 1, i + 1, 0));
        }
        FleetRecords.report(fleet, FleetRecords.status(lane, HOSTILE, NOW, NOW));
        FleetRecords.give(
                fleet, Topic.REJECTIONS, "k", RecordCodec.REJECTION.encode(FleetRecords.rejection(lane, HOSTILE, 1)));
        FleetRecords.give(
                fleet,
                Topic.EVENTS,
                "k",
                RecordCodec.EVENT.encode(FleetRecords.event(EventKind.DRIFT, lane, HOSTILE, Map.of(HOSTILE, 1L), 1)));
        FleetRecords.give(
                fleet, Topic.OUTCOMES, "k", RecordCodec.OUTCOME.encode(FleetRecords.outcome(lane, HOSTILE, 1)));
        ChosenLane chosen = ChosenLane.of(fleet, "/lane", null);
        GenerationTrace trace = new GenerationTrace(
                HOSTILE,
                List.of(new GenerationTrace.Found(
                        GenerationTrace.Standing.REJECTED,
                        HOSTILE,
                        HOSTILE,
                        HOSTILE,
                        Instant.EPOCH,
                        1,
                        List.of(),
                        HOSTILE)),
                true);
        for (Page page : List.of(
                FleetPages.lanes(fleet, NOW),
                VersionsPage.of(chosen, HOSTILE, HOSTILE, NOW),
                LearningPage.of(chosen),
                OutcomesPage.of(chosen),
                FleetPages.events(fleet),
                FleetPages.rejections(fleet),
                FleetPages.generation(trace),
                FleetPages.books(fleet.books(0, NOW)),
                VersionsPage.of(chosen, null, null, NOW).and(ActionForms.ofLane(chosen.lane())),
                FleetPages.generation(trace).and(ActionForms.ofGeneration(trace)),
                shown(new VersionAction(lane, Command.PIN, NOW)),
                shown(new Forgetting(new Deleted(HOSTILE, HOSTILE, null, null), lane.toString())))) {
            String html = html(page);
            assertThat(html)
                    .as(page.title())
                    .doesNotContain("<script>alert", "'\"&")
                    .contains("script");
            assertThat(html.replaceAll("<(script src|link rel)[^>]*>", ""))
                    .as(page.title())
                    .doesNotContain("<script>");
        }
        assertThat(html(FleetPages.rejections(fleet))).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
    }

    /** An action's preview, without the brokers that it would be given by. */
    private Page shown(Action action) {
        List<Page.Section> sections = action instanceof VersionAction versions
                ? versions.preview(fleet, NOW)
                : List.of(((Forgetting) action).reached(fleet, NOW));
        return new Page(action.title(), action.effect(), List.of(), sections);
    }

    @Test
    void acceptanceByPositionAndCostCurvesAreThoseOfTheRecords() {
        LaneId lane = LaneId.parse("toy@1/acme");
        SnapshotManifest manifest = FleetRecords.manifest(lane, NOW - 1_000, 1, 4, 0);
        manifest.getPolicy()
                .setCostCurve(List.of(new CostPoint("gpu", 8, 9, 21_500f), new CostPoint("gpu", 1, 2, 20_000f)));
        FleetRecords.announce(fleet, manifest);
        String none = html(OutcomesPage.of(ChosenLane.of(fleet, "/outcomes", null)));
        assertThat(none).contains("By position").doesNotContain("Acceptance by position");
        FleetRecords.give(fleet, Topic.OUTCOMES, "k", RecordCodec.OUTCOME.encode(FleetRecords.outcome(lane, "w", 4)));
        String page = html(OutcomesPage.of(ChosenLane.of(fleet, "/outcomes", null)));
        assertThat(cells(page))
                .containsSequence("1", "4", "4", "100.00", "2", "3", "1", "33.33")
                .containsSequence("gpu", "1", "2", "20.00", "gpu", "8", "9", "21.50");
        assertThat(page).contains("Acceptance by position", "Cost of a step");
    }

    @Test
    void theLearningPageHasTrialsAlarmsAndWeightsBySource() {
        LaneId lane = LaneId.parse("toy@1/acme");
        FleetRecords.announce(fleet, FleetRecords.manifest(lane, NOW - 1_000, 1, 4, 0));
        for (EventKind kind : List.of(EventKind.POLICY_PROPOSED, EventKind.DRIFT, EventKind.POLICY_REFUSED)) {
            FleetRecords.give(
                    fleet,
                    Topic.EVENTS,
                    "k",
                    RecordCodec.EVENT.encode(FleetRecords.event(kind, lane, "told " + kind, Map.of("trial", 4L), 1)));
        }
        List<String> cells = cells(html(LearningPage.of(ChosenLane.of(fleet, "/learning", null))));
        int trial = cells.indexOf("policy");
        assertThat(cells.subList(trial - 1, trial + 6))
                .startsWith("4", "policy")
                .endsWith("refused", "told POLICY_REFUSED", "told POLICY_PROPOSED");
        assertThat(cells).contains("told DRIFT");
    }

    /**
     * Of the layout's sets of 91 weights: eight of each of nine sources, three of similar answers' ranks, then sixteen of what is no vote and does not
     * count.
     */
    @Test
    void weightsBySourceAreTheirPartsOfTheAbsoluteWeightsOnVotes() throws IOException {
        List<Float> weights = new ArrayList<>(Collections.nCopies(47 * 91 + 768, 0f));
        weights.set(3, 0.5f);
        weights.set(20 * 91 + 3 * 8, 1.5f);
        weights.set(46 * 91 + 8 + 7, -1f);
        weights.set(74, 1f);
        weights.set(75, 100f);
        weights.set(47 * 91, 100f);
        SnapshotManifest manifest = FleetRecords.manifest(LaneId.parse("toy@1/acme"), NOW - 1_000, 1, 4, 0);
        manifest.getPolicy().setWeightsLayout(1);
        manifest.getPolicy().setWeights(weights);
        FleetRecords.announce(fleet, manifest);
        List<String> cells = cells(html(LearningPage.of(ChosenLane.of(fleet, "/learning", null))));
        double[] shipped = shippedPercents();
        assertThat(cells)
                .containsSequence(row("own", 12.5, shipped[0]))
                .containsSequence(row("older", 25, shipped[1]))
                .containsSequence(row("newest", 0, shipped[2]))
                .containsSequence(row("fresh", 37.5, shipped[3]))
                .containsSequence(row("similar", 25, shipped[7]))
                .containsSequence(row("said", 0, shipped[8]));
    }

    private static List<String> row(String source, double live, double shipped) {
        return List.of(
                source,
                String.format(Locale.ROOT, "%.2f", live),
                String.format(Locale.ROOT, "%.2f", shipped),
                String.format(Locale.ROOT, "%.2f", live - shipped));
    }

    /** Of the file of the product's own weights, one number a line. */
    private static double[] shippedPercents() throws IOException {
        double[] percents = new double[9];
        try (InputStream file = Mixer.class.getResourceAsStream("mixer-weights-layout-1.txt")) {
            List<String> lines = new String(file.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
            for (int at = 0; at < 47 * 91; at++) {
                int input = at % 91;
                if (input < 75) {
                    int source = input < 72 ? input / 8 : SourceKind.SIMILAR.index();
                    percents[source] += Math.abs(Float.parseFloat(lines.get(at)));
                }
            }
        }
        double all = Arrays.stream(percents).sum();
        return Arrays.stream(percents).map(part -> 100 * part / all).toArray();
    }

    @Test
    void driftOnTheLearningPageIsThatOfTheRecords() {
        LaneId lane = LaneId.parse("toy@1/acme");
        SnapshotManifest first = FleetRecords.manifest(lane, NOW - 2_000, 1, 4, 0);
        first.setDrift(new DriftStanding(false, 0L, Instant.EPOCH, -0.25, 6.5, 0.0, 0.875, 0.0));
        FleetRecords.announce(fleet, first);
        SnapshotManifest second = FleetRecords.manifest(lane, NOW - 1_000, 1, 5, 0);
        second.setDrift(new DriftStanding(true, 3L, Instant.EPOCH, 4.75, 7.25, 5.5, 0.75, 0.5));
        FleetRecords.announce(fleet, second);
        Page page = LearningPage.of(ChosenLane.of(fleet, "/learning", null));
        assertThat(page.tiles())
                .contains(new Page.Tile("3", "drift alarms so far"), new Page.Tile("4.75", "evidence, ln"));
        assertThat(cells(html(page)))
                .containsSequence("4.75", "yes", "7.25", "5.50", "0.75", "0.50", Long.toString(NOW - 2_000))
                .containsSequence("-0.25", "no", "6.50", "-", "0.88", "-");
        assertThat(html(page)).contains("[[%d,-0.25],[%d,4.75]]".formatted(NOW - 2_000, NOW - 1_000));
    }

    @Test
    void theDifferenceOfTwoVersionsNamesWhatDiffersAndAsMuchAsTheLinkSays() {
        LaneId lane = LaneId.parse("toy@1/acme");
        for (int i = 0; i < 3; i++) {
            FleetRecords.announce(fleet, FleetRecords.manifest(lane, NOW - 1_000L * (3 - i), 1, 5 + i, 0));
        }
        ChosenLane chosen = ChosenLane.of(fleet, "/lane", "toy@1/acme");
        String newest = html(VersionsPage.of(chosen, null, null, NOW));
        assertThat(cells(newest)).containsSequence("documents", "6", "7").containsSequence("live tokens", "60", "70");
        String oldest = html(VersionsPage.of(chosen, Long.toString(NOW - 3_000), null, NOW));
        assertThat(cells(oldest)).containsSequence("documents", "5", "7");
        assertThat(cells(html(VersionsPage.of(chosen, "-2", "1s", NOW)))).containsSequence("documents", "5", "7");
        assertThat(cells(html(VersionsPage.of(chosen, "3s", "newest-1", NOW)))).containsSequence("documents", "5", "6");
        for (String wrong : List.of("1h", "-3", "oldest", "", "7")) {
            assertThat(html(VersionsPage.of(chosen, wrong, null, NOW)))
                    .contains("Not compared: ", "name=\"one\" value=\"%s\"".formatted(wrong))
                    .doesNotContain("What differs");
        }
        assertThat(newest).contains("data-chart=", ",&quot;CADENCE&quot;]");
    }

    @Test
    void aLaneThatIsNotThereAndAFleetWithoutLanesHavePages() {
        assertThat(html(LearningPage.of(ChosenLane.of(fleet, "/learning", null))))
                .contains("No lane has been heard of");
        FleetRecords.report(fleet, FleetRecords.status(LaneId.parse("toy@1/acme"), "w", 0, NOW));
        assertThat(html(OutcomesPage.of(ChosenLane.of(fleet, "/outcomes", "toy@1/other"))))
                .contains("There is no lane of that name", "toy@1/acme");
        assertThat(html(LearningPage.of(ChosenLane.of(fleet, "/learning", null))))
                .contains("None.");
    }

    @Test
    void troubleIsSaidOnThePage() {
        Page page = FleetPages.lanes(fleet, NOW);
        assertThat(template.html(page, "/", "", "The brokers have not answered for 9 s.", ""))
                .contains("class=\"trouble\"", "have not answered for 9 s");
        assertThat(html(page)).doesNotContain("class=\"trouble\"");
    }
}
