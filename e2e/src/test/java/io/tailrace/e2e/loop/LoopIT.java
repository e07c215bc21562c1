package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole loop on real processes' code: a broker, Flink with the index job, two workers, two scopes, eight shards. The
 * tests are stages of one story and run in their order; the last one looks back over everything that was published.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LoopIT {
    private static final long SEED = 20_261_121L;
    private static final int ANSWERS = 40;
    /** Answered in one scope, then asked for in the other. */
    private static final int[] CANARY = canary(0);
    /** Answered in one scope only. */
    private static final int[] ALPHAS_CANARY = canary(100);

    @TempDir
    static Path folder;

    private static LoopUnderLoad loop;
    private static LoopObserver observer;
    private static Fleet fleet;
    private static TopicReader topics;
    private static LoadWorker first;
    private static LoadWorker second;
    private static final List<int[]> ANSWERED_BY_FIRST = new ArrayList<>();

    @BeforeAll
    static void startTheLoop() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL)
                .withJobArguments("--shards", "8", "--lanes-max", "2")
                .withStoreWrapper(CrashWindow::around));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, SEED);
        topics = new TopicReader(loop.loop().bootstrap());
        first = loop.addWorker("first");
        second = loop.addWorker("second");
    }

    @AfterAll
    static void stopTheLoop() {
        if (observer != null) {
            observer.close();
        }
        if (loop != null) {
            loop.close();
        }
    }

    @Test
    @Order(1)
    void aWorkerDraftsFromWhatTheOtherAnswered() {
        for (int i = 0; i < ANSWERS; i++) {
            RecordedRequest request = fleet.request("alpha-" + i, "alpha");
            ANSWERED_BY_FIRST.add(request.response());
            assertThat(acceptedFromSnapshot(first.serve(request)))
                    .as("answer %d is new to everybody", i)
                    .isLessThan(10);
        }
        fleet.awaitSettled();
        fleet.awaitLoaded(second, "alpha");
        int accepted = 0;
        int tokens = 0;
        for (int i = 0; i < ANSWERS; i++) {
            ServedRequest served = second.serve(fleet.request("again-" + i, "alpha", ANSWERED_BY_FIRST.get(i)));
            accepted += acceptedFromSnapshot(served);
            tokens += ANSWERED_BY_FIRST.get(i).length;
        }
        assertThat(accepted).as("of %d tokens", tokens).isGreaterThan(tokens * 8 / 10);
    }

    @Test
    @Order(2)
    void aCanaryOfOneScopeIsNeverDraftedInTheOther() {
        first.serve(fleet.request("canary", "alpha", CANARY));
        first.serve(fleet.request("alphas-canary", "alpha", ALPHAS_CANARY));
        second.serve(fleet.request("beta-0", "beta"));
        fleet.awaitSettled();
        fleet.awaitLoaded(second, "alpha");
        fleet.awaitLoaded(second, "beta");
        ServedRequest inItsScope = second.serve(fleet.request("canary-alpha", "alpha", CANARY));
        assertThat(acceptedFromSnapshot(inItsScope)).isGreaterThan(40);
        ServedRequest inTheOther = second.serve(fleet.request("canary-beta", "beta", CANARY));
        assertThat(inTheOther.decoded().tally().accepted())
                .as("every canary token is the truth here: a draft of one would have been accepted")
                .isZero();
    }

    /** The second worker hears of it tens of milliseconds later, a snapshot is a second away: it may win a race, not twenty. */
    @Test
    @Order(3)
    void anAnswerIsDraftedFromElsewhereBeforeASnapshotHoldsIt() {
        int accepted = 0;
        for (int i = 0; accepted <= 40 && i < 20; i++) {
            RecordedRequest request = fleet.request("new-" + i, "alpha");
            long heard = fleet.heard(second, "alpha");
            first.serve(request);
            fleet.awaitHeard(second, "alpha", heard + 1);
            ServedRequest again = second.serve(fleet.request("new-again-" + i, "alpha", request.response()));
            accepted = acceptedFrom(again, SourceKind.FRESH);
        }
        assertThat(accepted).as("of 80 tokens").isGreaterThan(40);
    }

    @Test
    @Order(4)
    void poisonIsRejectedWithItsPlaceAndTheJobGoesOn() throws Exception {
        Map<RejectionReason, RecordMetadata> sent = new HashMap<>();
        Generation good = generation("good", "alpha", new int[] {1, 2, 3});
        sent.put(RejectionReason.UNDECODABLE, fleet.produce(null, "no record".getBytes(StandardCharsets.UTF_8)));
        byte[] foreign = RecordCodec.GENERATION.encode(good);
        foreign[4] ^= 0x55;
        sent.put(RejectionReason.UNKNOWN_SCHEMA, fleet.produce(null, foreign));
        sent.put(RejectionReason.TOKEN_OUT_OF_VOCABULARY, send(generation("out", "alpha", new int[] {1, 40_000})));
        sent.put(RejectionReason.EMPTY_RESPONSE, send(generation("empty", "alpha", new int[0])));
        Generation unknown = generation("unknown", "alpha", new int[] {1});
        unknown.getLane().setModel("another");
        sent.put(RejectionReason.UNKNOWN_MODEL, send(unknown));
        sent.put(RejectionReason.LANES_EXCEEDED, send(generation("one-lane-too-many", "gamma", new int[] {1, 2, 3})));
        first.serve(fleet.request("after-poison", "alpha"));
        LoopObserver.Accounting books = fleet.awaitSettled();
        assertThat(books.records().rejected()).isEqualTo(sent.size());
        Map<RejectionReason, Rejection> rejections = new HashMap<>();
        topics.read(Topic.REJECTIONS, RecordCodec.REJECTION).forEach(r -> rejections.put(r.getReason(), r));
        assertThat(rejections.keySet()).isEqualTo(sent.keySet());
        rejections.forEach((reason, rejection) -> {
            assertThat(rejection.getTopic()).isEqualTo(Topic.GENERATIONS.name(""));
            assertThat(rejection.getPartition()).isEqualTo(sent.get(reason).partition());
            assertThat(rejection.getOffset()).isEqualTo(sent.get(reason).offset());
            assertThat(rejection.getDetail()).isNotBlank();
            assertThat(rejection.getBytes())
                    .as("user data stays out unless asked for")
                    .isNull();
        });
        checkSaysWhatTheJobSaid(rejections);
    }

    /** Of all that the job refused for what the record holds. */
    private void checkSaysWhatTheJobSaid(Map<RejectionReason, Rejection> rejections) throws Exception {
        Path json = folder.resolve("check.json");
        int exit = Tailrace.commandLine()
                .execute(
                        "check",
                        "--bootstrap",
                        loop.loop().bootstrap(),
                        "--vocabulary",
                        Integer.toString(Fleet.MODEL.vocabularySize()),
                        "--json",
                        json.toString());
        assertThat(exit).isEqualTo(ExitCodes.FELL_SHORT);
        Map<RejectionReason, String> said = new HashMap<>();
        for (JsonNode row : new ObjectMapper().readTree(json.toFile()).path("reasons")) {
            said.put(
                    RejectionReason.valueOf(row.path("reason").asText()),
                    "%d-%d: %s"
                            .formatted(
                                    row.path("partition").asInt(),
                                    row.path("offset").asLong(),
                                    row.path("detail").asText()));
        }
        Map<RejectionReason, String> expected = new HashMap<>();
        rejections.forEach((reason, rejection) -> expected.put(
                reason, "%d-%d: %s".formatted(rejection.getPartition(), rejection.getOffset(), rejection.getDetail())));
        expected.keySet().removeAll(Set.of(RejectionReason.UNKNOWN_MODEL, RejectionReason.LANES_EXCEEDED));
        assertThat(said).isEqualTo(expected);
    }

    @Test
    @Order(5)
    void aRepeatedRequestIsCountedAndDropped() throws Exception {
        Generation repeated = generation("repeated", "beta", new int[] {5, 6, 7, 8});
        fleet.expect("repeated", "beta", new int[] {5, 6, 7, 8});
        send(repeated);
        send(repeated);
        assertThat(fleet.awaitSettled().records().duplicate()).isEqualTo(1);
    }

    @Test
    @Order(6)
    void aCrashBetweenSegmentAndManifestLosesNothingAndDoublesNothing() throws Exception {
        CrashWindow window = CrashWindow.arm();
        for (int i = 0; i < ANSWERS; i++) {
            first.serve(fleet.request("crash-" + i, i % 2 == 0 ? "alpha" : "beta"));
        }
        assertThat(window.awaitReached(60)).as("a segment is written").isTrue();
        loop.loop().flink().killTaskManager(0);
        window.close();
        loop.loop().flink().startTaskManager();
        LoopObserver.Accounting books = fleet.awaitSettled();
        assertThat(books.records().read())
                .isEqualTo(books.records().admitted()
                        + books.records().duplicate()
                        + books.records().rejected());
        fleet.awaitLoaded(second, "alpha");
        fleet.awaitLoaded(second, "beta");
    }

    @Test
    @Order(7)
    void answersInKafkaAreTheGroundTruth() {
        int compared = 0;
        for (ConsumerRecord<byte[], byte[]> raw : topics.readRaw(Topic.GENERATIONS)) {
            Generation generation = decodedOrNull(raw.value());
            int[] truth = generation == null ? null : fleet.truths().get(generation.getRequestId());
            if (truth != null) {
                assertThat(TokenIds.toArray(generation.getResponse()))
                        .as(generation.getRequestId())
                        .isEqualTo(truth);
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(fleet.truths().size());
    }

    @Test
    @Order(8)
    void versionsRiseStrictlyAndNameTheirParents() throws Exception {
        Map<LaneId, Long> newest = new HashMap<>();
        for (SnapshotManifest manifest : topics.read(Topic.SNAPSHOTS, RecordCodec.SNAPSHOT_MANIFEST)) {
            LaneId lane = LaneId.of(manifest.getLane());
            long parent = newest.getOrDefault(lane, 0L);
            assertThat(manifest.getVersion()).as("after %d", parent).isGreaterThan(parent);
            assertThat(manifest.getParentVersion()).isEqualTo(parent);
            newest.put(lane, manifest.getVersion());
        }
        assertThat(newest.keySet()).containsExactlyInAnyOrder(Fleet.MODEL.lane("alpha"), Fleet.MODEL.lane("beta"));
    }

    /** The text on disk, counted answer by answer: nothing lost, nothing twice, nothing in the wrong scope. */
    @Test
    @Order(9)
    void theFilesHoldEveryAnswerOnceInItsOwnScope() throws Exception {
        Map<LaneId, SnapshotManifest> live = new HashMap<>();
        topics.read(Topic.SNAPSHOTS, RecordCodec.SNAPSHOT_MANIFEST)
                .forEach(manifest -> live.put(LaneId.of(manifest.getLane()), manifest));
        Map<String, Long> expected = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> raw : topics.readRaw(Topic.GENERATIONS)) {
            Generation generation = decodedOrNull(raw.value());
            if (generation != null && fleet.truths().containsKey(generation.getRequestId())) {
                expected.putIfAbsent(generation.getRequestId(), 1L);
            }
        }
        assertThat(expected).hasSameSizeAs(fleet.truths());
        Map<LaneId, Long> documents = new HashMap<>();
        Map<String, Long> canaries = new HashMap<>();
        for (SnapshotManifest manifest : live.values()) {
            assertThat(manifest.getSegments()).hasSizeLessThanOrEqualTo(4);
            for (SegmentReference reference : manifest.getSegments()) {
                LaneId lane = LaneId.of(manifest.getLane());
                documents.merge(lane, check(lane, reference), Long::sum);
                canaries.merge(lane.scope(), countOf(ALPHAS_CANARY, reference), Long::sum);
            }
        }
        long held = documents.values().stream().mapToLong(Long::longValue).sum();
        assertThat(held)
                .as("generations in all segments")
                .isEqualTo(fleet.truths().size());
        assertThat(canaries).isEqualTo(Map.of("alpha", 1L, "beta", 0L));
    }

    @Test
    @Order(10)
    void theAuditFindsTheBooksInOrderAndWhatIsTakenFromTheStore() throws Exception {
        fleet.awaitSettled();
        StringWriter said = new StringWriter();
        Path ids = Files.write(folder.resolve("ids"), fleet.truths().keySet());
        assertThat(audit(said, "--ids", ids.toString())).as(said.toString()).isZero();
        assertThat(said.toString())
                .contains("answers", "acknowledged")
                .doesNotContain("failed")
                .doesNotContain("unknown");
        List<SegmentReference> files = topics.newest().getSegments();
        Path taken = Path.of(loop.loop().store()).resolve(files.get(0).getPath());
        Path copies = Files.createDirectories(folder.resolve("copies"));
        Files.move(taken, copies.resolve(taken.getFileName()));
        StringWriter saidThen = new StringWriter();
        assertThat(audit(saidThen)).isEqualTo(1);
        assertThat(saidThen.toString()).contains(files.get(0).getPath() + " is not there");
        StringWriter saidOfCopies = new StringWriter();
        assertThat(audit(saidOfCopies, "--repair-from", copies.toString()))
                .as(saidOfCopies.toString())
                .isZero();
        assertThat(saidOfCopies.toString()).contains("1 of them written again from copies");
        assertThat(taken).exists();
        Files.writeString(ids, "an-answer-that-went-astray\n", StandardOpenOption.APPEND);
        StringWriter saidOfIds = new StringWriter();
        assertThat(audit(saidOfIds, "--ids", ids.toString())).isEqualTo(1);
        assertThat(saidOfIds.toString()).contains("missing: an-answer-that-went-astray");
    }

    private static int audit(StringWriter out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "audit",
                "--deep",
                "--bootstrap",
                loop.loop().bootstrap(),
                "--store",
                loop.loop().store().toString()));
        arguments.addAll(List.of(more));
        return Tailrace.commandLine().setOut(new PrintWriter(out)).execute(arguments.toArray(String[]::new));
    }

    private static long countOf(int[] pattern, SegmentReference reference) throws Exception {
        try (Segment segment = Segment.inspect(Path.of(loop.loop().store()).resolve(reference.getPath()))) {
            return segment.count(pattern);
        }
    }

    private static int[] canary(int from) {
        return IntStream.range(Fleet.CANARIES_FROM + from, Fleet.CANARIES_FROM + from + 60)
                .toArray();
    }

    /** Opens a live file, holds its text against the scopes; returns how many generations it stands for. */
    private static long check(LaneId lane, SegmentReference reference) throws Exception {
        Path file = Path.of(loop.loop().store()).resolve(reference.getPath());
        try (Segment segment = Segment.inspect(file)) {
            assertThat(segment.identity().lane()).isEqualTo(lane.toString());
            assertThat(segment.summary().sha256()).isEqualTo(reference.getSha256());
            long generations = 0;
            for (int document = 0; document < segment.documents(); document++) {
                generations += segment.multiplicity(document);
                int[] tokens = segment.answer(document).tokens();
                assertThat(scopesOf(tokens))
                        .as("document %d of %s", document, file)
                        .contains(lane.scope());
            }
            return generations;
        }
    }

    private static Set<String> scopesOf(int[] tokens) {
        Set<String> scopes = new HashSet<>();
        fleet.truths().forEach((id, truth) -> {
            if (Arrays.equals(truth, tokens)) {
                scopes.add(fleet.scopes().get(id));
            }
        });
        return scopes;
    }

    private static RecordMetadata send(Generation generation) throws Exception {
        return fleet.produce(
                generation.getRequestId().getBytes(StandardCharsets.UTF_8), RecordCodec.GENERATION.encode(generation));
    }

    private static Generation generation(String id, String scope, int[] response) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return Generation.newBuilder()
                .setRequestId(id)
                .setLane(Fleet.MODEL.lane(scope).toLane())
                .setProducer("test")
                .setResponse(TokenIds.toList(response))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
    }

    private static Generation decodedOrNull(byte[] bytes) {
        try {
            return RecordCodec.GENERATION.decode(bytes);
        } catch (UndecodableRecordException poison) {
            return null;
        }
    }

    private static int acceptedFromSnapshot(ServedRequest served) {
        return acceptedFrom(served, SourceKind.OLDER) + acceptedFrom(served, SourceKind.NEWEST);
    }

    private static int acceptedFrom(ServedRequest served, SourceKind kind) {
        DecodeTally tally = served.decoded().tally();
        int accepted = 0;
        for (int length = 0; length < 8; length++) {
            accepted += tally.accepted(kind, length);
        }
        return accepted;
    }
}
