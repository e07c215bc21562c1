package io.tailrace.cli.fleet;

import static io.tailrace.cli.fleet.FleetRecords.announce;
import static io.tailrace.cli.fleet.FleetRecords.event;
import static io.tailrace.cli.fleet.FleetRecords.give;
import static io.tailrace.cli.fleet.FleetRecords.manifest;
import static io.tailrace.cli.fleet.FleetRecords.outcome;
import static io.tailrace.cli.fleet.FleetRecords.report;
import static io.tailrace.cli.fleet.FleetRecords.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.audit.Finding;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.PositionOutcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOutcome;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.WorkerStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FleetViewTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long NOW = System.currentTimeMillis();

    private final FleetView fleet = new FleetView();

    @Test
    void aLanesFiguresAreThoseOfItsNewestVersionItsAccountAndItsLiveWorkers() {
        announce(fleet, manifest(LANE, NOW - 9_000, 1, 4, 0));
        announce(fleet, manifest(LANE, NOW - 5_000, 1, 7, 0));
        report(fleet, status(LANE, "w1", NOW - 5_000, NOW));
        report(fleet, status(LANE, "w2", NOW - 9_000, NOW));
        report(fleet, status(LANE, "gone", NOW - 9_000, NOW - 60_000));
        give(
                fleet,
                Topic.EVENTS,
                null,
                RecordCodec.EVENT.encode(event(EventKind.ACCOUNTING, LANE, "", Map.of("tokensPending", 12L), 1)));
        assertThat(fleet.lanes(NOW))
                .containsExactly(new LaneFigures(
                        "toy@1/acme", "acme", 7, 70, 12, 2, NOW - 5_000, 5_000, 900, 2, 1, 2.5, 1.5, true));
        assertThat(fleet.workers(NOW))
                .extracting(
                        WorkerFigures::worker,
                        WorkerFigures::versionsBehind,
                        WorkerFigures::skewMillis,
                        WorkerFigures::live)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("gone", 1, 4_000L, false),
                        org.assertj.core.groups.Tuple.tuple("w1", 0, 0L, true),
                        org.assertj.core.groups.Tuple.tuple("w2", 1, 4_000L, true));
    }

    @Test
    void whatWorkersAcceptedIsSummedUpByHourSourceAndWorker() {
        long hour = NOW - NOW % 3_600_000;
        give(fleet, Topic.OUTCOMES, "r1", RecordCodec.OUTCOME.encode(outcome(LANE, "w1", 3)), hour);
        give(fleet, Topic.OUTCOMES, "r2", RecordCodec.OUTCOME.encode(outcome(LANE, "w2", 5)), hour + 1);
        give(fleet, Topic.OUTCOMES, "r3", RecordCodec.OUTCOME.encode(outcome(LANE, "w1", 3)), hour - 1);
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(lane.hours().keySet()).containsExactly(hour - 3_600_000, hour);
        assertThat(lane.hours().get(hour).requests()).isEqualTo(2);
        OutcomeTally all = lane.outcomes();
        assertThat(all.all()).isEqualTo(new OutcomeTally.Steps(12, 54, 11, 23));
        assertThat(all.bySource())
                .containsEntry("newest", new OutcomeTally.Drafted(27, 11))
                .containsEntry("own", new OutcomeTally.Drafted(27, 0));
        assertThat(all.byMatchLength()).containsEntry(4, new OutcomeTally.Drafted(27, 11));
        assertThat(all.byWorker().get("w1").acceptedPerStep()).isEqualTo(0.75);
        assertThat(all.gain()).isEqualTo(2.0);
    }

    /** As a process sends it that no broker answered in time. Another worker's of the same request is another one. */
    @Test
    void anOutcomeThatIsSentAgainCountsOnce() {
        Outcome outcome = outcome(LANE, "w1", 3);
        byte[] first = RecordCodec.OUTCOME.encode(outcome);
        outcome.setWorker("w2");
        byte[] others = RecordCodec.OUTCOME.encode(outcome);
        List.of(first, others, first, others).forEach(record -> give(fleet, Topic.OUTCOMES, "r", record, NOW));
        OutcomeTally all = fleet.lane(LANE.toString()).orElseThrow().outcomes();
        assertThat(all.requests()).isEqualTo(2);
        assertThat(all.all()).isEqualTo(new OutcomeTally.Steps(8, 36, 6, 14));
        for (int i = 0; i < FleetView.OUTCOMES_MAX; i++) {
            give(fleet, Topic.OUTCOMES, "r", RecordCodec.OUTCOME.encode(outcome(LANE, "w1", 3)), NOW);
        }
        long before = fleet.lane(LANE.toString()).orElseThrow().outcomes().requests();
        give(fleet, Topic.OUTCOMES, "r", first, NOW);
        assertThat(fleet.lane(LANE.toString()).orElseThrow().outcomes().requests())
                .as("forgotten by then")
                .isEqualTo(before + 1);
    }

    /** A dull recount of any outcomes: each count in its own cell, nothing shared. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void outcomesByPositionSourceAndLengthAreSumsOfTheRecords(long seed) {
        Random random = new Random(seed);
        Map<Object, Long> drafted = new HashMap<>();
        Map<Object, Long> accepted = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            Outcome outcome = outcome(LANE, "w" + random.nextInt(3), 1);
            List<PositionOutcome> positions = new ArrayList<>();
            for (int at = random.nextInt(65); at > 0; at--) {
                positions.add(new PositionOutcome(random.nextInt(9), random.nextInt(5)));
            }
            List<SourceOutcome> parts = new ArrayList<>();
            for (int part = random.nextInt(5); part > 0; part--) {
                parts.add(new SourceOutcome(
                        "source-" + random.nextInt(3), 1 + random.nextInt(4), random.nextInt(9), random.nextInt(5)));
            }
            outcome.setByPosition(positions);
            outcome.setBySource(parts);
            for (int at = 0; at < positions.size(); at++) {
                count(drafted, "at " + at, positions.get(at).getDrafted());
                count(accepted, "at " + at, positions.get(at).getAccepted());
            }
            for (SourceOutcome part : parts) {
                for (Object key : List.of(part.getSource(), part.getMatchLengthMin())) {
                    count(drafted, key, part.getDrafted());
                    count(accepted, key, part.getAccepted());
                }
            }
            long hour = random.nextInt(20) * 3_600_000L;
            give(fleet, Topic.OUTCOMES, "r", RecordCodec.OUTCOME.encode(outcome), hour);
        }
        OutcomeTally all = fleet.lane(LANE.toString()).orElseThrow().outcomes();
        Map<Object, OutcomeTally.Drafted> said = new HashMap<>();
        said.putAll(all.bySource());
        said.putAll(all.byMatchLength());
        for (int at = 0; at < all.byPosition().size(); at++) {
            said.put("at " + at, all.byPosition().get(at));
        }
        assertThat(said.keySet()).isEqualTo(drafted.keySet());
        said.forEach((key, sum) ->
                assertThat(sum).as("%s", key).isEqualTo(new OutcomeTally.Drafted(drafted.get(key), accepted.get(key))));
    }

    private static void count(Map<Object, Long> sums, Object key, long more) {
        sums.merge(key, more, Long::sum);
    }

    @Test
    void anOutcomeOfMorePositionsThanADraftHasTokensIsRefused() {
        Outcome outcome = outcome(LANE, "w", 1);
        outcome.setByPosition(java.util.Collections.nCopies(65, new PositionOutcome(1, 0)));
        byte[] record = RecordCodec.OUTCOME.encode(outcome);
        assertThatThrownBy(() -> give(fleet, Topic.OUTCOMES, "r", record))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 64 positions, got 65");
    }

    @Test
    void theBooksFailWhereTokensAreMissingOrMoreWasReadThanWritten() {
        Map<String, Long> account =
                Map.of("tokensAdmitted", 10L, "tokensLive", 7L, "tokensPending", 3L, "recordsAdmitted", 2L);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(EventKind.ACCOUNTING, LANE, "", account, 1)));
        assertThat(fleet.books(2, NOW)).extracting(Finding::result).containsOnly(Finding.Result.OK);
        assertThat(fleet.books(1, NOW))
                .as("the job may yet say that it read one on another Kafka")
                .extracting(Finding::result)
                .contains(Finding.Result.UNKNOWN)
                .doesNotContain(Finding.Result.FAILED);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(before(1)));
        assertThat(fleet.books(1, NOW)).extracting(Finding::result).containsOnly(Finding.Result.OK);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(before(0)));
        assertThat(fleet.books(1, NOW))
                .filteredOn(FleetViewTest::failed)
                .extracting(Finding::check)
                .containsExactly("records");
        Map<String, Long> open =
                Map.of("tokensAdmitted", 10L, "tokensLive", 6L, "tokensPending", 3L, "recordsAdmitted", 2L);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(EventKind.ACCOUNTING, LANE, "", open, 2)));
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(EventKind.ACCOUNTING, LANE, "", account, 1)));
        assertThat(fleet.books(2, NOW))
                .filteredOn(FleetViewTest::failed)
                .extracting(Finding::check)
                .containsExactly("tokens");
        give(fleet, Topic.CONTROL, "c", RecordCodec.CONTROL.encode(FleetRecords.delete(LANE, null, NOW - 3_600_000)));
        assertThat(fleet.books(2, NOW))
                .filteredOn(FleetViewTest::failed)
                .extracting(Finding::check)
                .containsExactly("tokens", "deletes");
        Map<String, Long> done = new java.util.HashMap<>(account);
        done.put("deletedTo", NOW - 3_600_000);
        give(fleet, Topic.EVENTS, null, RecordCodec.EVENT.encode(event(EventKind.ACCOUNTING, LANE, "", done, 2)));
        assertThat(fleet.books(2, NOW)).noneMatch(FleetViewTest::failed);
        assertThat(fleet.isDeleted(LANE, "r", NOW - 3_600_000)).isTrue();
    }

    /** Workers' clocks are their own: what counts is when the brokers took a report. */
    @ParameterizedTest
    @ValueSource(longs = {-90_000, 0, 90_000})
    void aWorkerIsLiveWhileItReportsWhateverItsClockSays(long ahead) {
        announce(fleet, manifest(LANE, NOW - 5_000, 1, 4, 0));
        report(fleet, status(LANE, "w", NOW - 5_000, NOW + ahead), NOW);
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(lane.workers(NOW + 15_000)).singleElement().satisfies(worker -> {
            assertThat(worker.live()).isTrue();
            assertThat(worker.seenMillis()).isEqualTo(15_000);
        });
        assertThat(lane.figures(NOW + 15_000).workersOnNewest()).isOne();
        assertThat(lane.workers(NOW + 15_001))
                .singleElement()
                .satisfies(worker -> assertThat(worker.live()).isFalse());
        assertThat(lane.figures(NOW + 15_001).workersOnNewest()).isZero();
    }

    /** A job's account of records that it read on topics before this one. */
    private static Event before(long records) {
        return event(EventKind.ACCOUNTING, null, "", Map.of("recordsBefore", records), 1);
    }

    private static boolean failed(Finding finding) {
        return finding.result() == Finding.Result.FAILED;
    }

    /** What a reader who keeps everything would say. */
    private static final class Dull {
        private final Map<String, Map<Long, SnapshotManifest>> versions = new TreeMap<>();
        private final Map<String, Map<String, WorkerStatus>> workers = new TreeMap<>();
        private final List<String> events = new ArrayList<>();

        private long newest(String lane) {
            return versions.getOrDefault(lane, Map.of()).keySet().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
        }

        private int serve(String lane, long version) {
            return (int) workers.getOrDefault(lane, Map.of()).values().stream()
                    .filter(status -> status.getReportedAt().toEpochMilli() >= NOW - 15_000)
                    .filter(status -> status.getLoadedVersion() == version)
                    .count();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void saysOfAnyRecordsWhatADullReaderSaysAndJunkEndsNothing(long seed) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        TopicsInMemory topics = new TopicsInMemory();
        Dull dull = new Dull();
        long junk = 0;
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(4) == 0) {
                junk(random, topics);
                junk++;
            } else {
                record(random, topics, dull);
            }
        }
        try (LoopTopics read = topics.open()) {
            read.read(one -> fleet.take(read.topic(one), one), Topic.values());
            assertThat(read.skipped()).isEqualTo(junk);
        }
        for (LaneFigures lane : fleet.lanes(NOW)) {
            assertThat(lane.newestVersion()).isEqualTo(dull.newest(lane.lane()));
            assertThat(lane.versions())
                    .isEqualTo(dull.versions.getOrDefault(lane.lane(), Map.of()).size());
            assertThat(lane.workersOnNewest())
                    .isEqualTo(lane.newestVersion() == 0 ? 0 : dull.serve(lane.lane(), lane.newestVersion()));
        }
        assertThat(fleet.events()).extracting(HeardEvent::message).containsExactlyElementsOf(newestFirst(dull.events));
    }

    private static List<String> newestFirst(List<String> all) {
        List<String> last = new ArrayList<>(all.subList(Math.max(0, all.size() - FleetView.RECENT_MAX), all.size()));
        java.util.Collections.reverse(last);
        return last;
    }

    private static void record(Random random, TopicsInMemory topics, Dull dull) {
        LaneId lane = new LaneId("toy", "1", "tenant " + random.nextInt(4));
        switch (random.nextInt(5)) {
            case 0, 1 -> announced(lane, NOW - random.nextInt(50), random, topics, dull);
            case 2 -> {
                long version = NOW - random.nextInt(50);
                topics.put(Topic.SNAPSHOTS, lane + "#" + version, null);
                dull.versions
                        .computeIfAbsent(lane.toString(), name -> new TreeMap<>())
                        .remove(version);
            }
            case 3 -> {
                WorkerStatus status = status(
                        lane, "w#" + random.nextInt(5), dull.newest(lane.toString()), NOW - random.nextInt(30_000));
                topics.put(
                        Topic.WORKERS.name(""),
                        status.getWorker() + "#" + lane,
                        RecordCodec.WORKER_STATUS.encode(status),
                        status.getReportedAt().toEpochMilli());
                dull.workers
                        .computeIfAbsent(lane.toString(), name -> new TreeMap<>())
                        .put(status.getWorker(), status);
            }
            default -> {
                String message = "event " + dull.events.size();
                topics.put(
                        Topic.EVENTS,
                        lane.toString(),
                        RecordCodec.EVENT.encode(event(EventKind.POLICY_ADOPTED, lane, message, Map.of(), 1)));
                dull.events.add(message);
            }
        }
    }

    private static void announced(LaneId lane, long version, Random random, TopicsInMemory topics, Dull dull) {
        SnapshotManifest manifest = manifest(lane, version, 1, random.nextInt(100), 0);
        topics.put(Topic.SNAPSHOTS, lane + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
        dull.versions.computeIfAbsent(lane.toString(), name -> new TreeMap<>()).put(version, manifest);
    }

    /** Nothing, too little, any bytes, a schema that is not known yet, or no value where that withdraws nothing. */
    private static void junk(Random random, TopicsInMemory topics) {
        Topic topic = List.of(
                        Topic.SNAPSHOTS, Topic.WORKERS, Topic.EVENTS, Topic.REJECTIONS, Topic.CONTROL, Topic.OUTCOMES)
                .get(random.nextInt(6));
        byte[] any = new byte[random.nextInt(40)];
        random.nextBytes(any);
        byte[] newer = {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};
        String key = List.of("", "#", "toy@1/a#x", "no lane#7", "toy@1/a#7").get(random.nextInt(5));
        boolean withdraws = topic == Topic.SNAPSHOTS || topic == Topic.WORKERS;
        topics.put(topic, key, Arrays.asList(new byte[0], any, newer, null).get(random.nextInt(withdraws ? 3 : 4)));
    }

    @Test
    void aKeyThatNamesAnotherLaneOrVersionIsRefused() {
        byte[] manifest = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(LANE, NOW, 1, 1, 0));
        assertThatThrownBy(() -> give(fleet, Topic.SNAPSHOTS, "toy@1/other#" + NOW, manifest))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> give(fleet, Topic.SNAPSHOTS, LANE + "#" + (NOW - 1), manifest))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fleet.lanes(NOW)).isEmpty();
    }

    /** It would be the newest one for ever. */
    @Test
    void aVersionThatNoClockReachesIsRefused() {
        long version = Long.MAX_VALUE - 1;
        byte[] beyond = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest(LANE, version, 1, 1, 0));
        assertThatThrownBy(() -> give(fleet, Topic.SNAPSHOTS, LANE + "#" + version, beyond))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ahead of this clock");
        announce(fleet, manifest(LANE, NOW, 1, 1, 0));
        assertThat(fleet.lane(LANE.toString()).orElseThrow().newest().getVersion())
                .isEqualTo(NOW);
    }

    @Test
    void ofEachThingItKeepsABoundedNumber() {
        for (int i = 0; i < LaneView.VERSIONS_MAX + 50; i++) {
            announce(fleet, manifest(LANE, NOW - 100_000 + i, 1, 1, 0));
        }
        for (int i = 0; i < FleetView.RECENT_MAX + 50; i++) {
            give(fleet, Topic.REJECTIONS, "k", RecordCodec.REJECTION.encode(FleetRecords.rejection(LANE, "r" + i, i)));
        }
        for (int i = 0; i < OutcomeTally.NAMES_MAX + 50; i++) {
            long hour = i * 3_600_000L;
            give(fleet, Topic.OUTCOMES, "k", RecordCodec.OUTCOME.encode(outcome(LANE, "w" + i, 1)), hour);
            give(fleet, Topic.OUTCOMES, "k", RecordCodec.OUTCOME.encode(outcome(LANE, "w" + i, 1)), 1L << 40);
        }
        LaneView lane = fleet.lane(LANE.toString()).orElseThrow();
        assertThat(lane.versions()).hasSize(LaneView.VERSIONS_MAX);
        assertThat(lane.newest().getVersion()).isEqualTo(NOW - 100_000 + LaneView.VERSIONS_MAX + 49);
        assertThat(fleet.rejections()).hasSize(FleetView.RECENT_MAX);
        assertThat(fleet.rejections().get(0).requestId()).isEqualTo("r" + (FleetView.RECENT_MAX + 49));
        assertThat(lane.hours()).hasSize(LaneView.HOURS_MAX);
        assertThat(lane.hours().lastEntry().getValue().byWorker())
                .hasSize(OutcomeTally.NAMES_MAX + 1)
                .containsKey(OutcomeTally.OTHERS);
    }

    @Test
    void whatWouldMoveATerminalsCursorIsNotPrinted() {
        byte[] hostile = RecordCodec.EVENT.encode(
                event(EventKind.DRIFT, LANE, "a\u001b[2J\nb\u202e" + "x".repeat(5_000), Map.of("k\r", 1L), 1));
        give(fleet, Topic.EVENTS, null, hostile);
        String line = fleet.events().get(0).line();
        assertThat(line).contains("a [2J b x").endsWith("...  k =1").doesNotContain("\u001b", "\n", "\r", "\u202e");
        assertThat(line.length()).isLessThan(1_200);
    }
}
