package io.tailrace.operators.indexing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.barriers.TellingKeyedBroadcast;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.learn.TokenReference;
import io.tailrace.suffix.segment.Segment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The function in Flink's own harness, over a real store in a temporary folder. */
final class ShardIndexerTest {
    private static final long START = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private KeyedBroadcastOperatorTestHarness<String, OfferedGeneration, ControlCommand, ShardProgress> harness;
    private static final long TOMBSTONE_MILLIS = Duration.ofDays(8).toMillis();
    private static final AtomicLong CLOCK = new AtomicLong();
    /** On topic control when the function starts. Static, since the function is serialised on its way into the harness. */
    private static final List<ControlCommand> GIVEN_BEFORE = new ArrayList<>();

    private IndexingOptions options = new IndexingOptions(1 << 16, 500, 1 << 22, 3_600_000, 1 << 15, NO_QUOTA, 8);
    private int reported;

    private static final IndexingOptions.Quotas NO_QUOTA = IndexingOptions.Quotas.NONE;

    private static IndexingOptions.Quotas ofScope(long tokensPerMinute) {
        return new IndexingOptions.Quotas(tokensPerMinute, 0);
    }

    private void open(OperatorSubtaskState state) throws Exception {
        ShardIndexer indexer = new ShardIndexer(
                options,
                TOMBSTONE_MILLIS,
                Samples.MODELS,
                FaultyStore.around(FlinkFileStore.factory(folder.toUri())),
                () -> GIVEN_BEFORE,
                folder.resolve("scratch").toString(),
                BoundTopics.only("generations"),
                CLOCK::get,
                SideThreads.daemons(4, "flush"));
        harness = new KeyedBroadcastOperatorTestHarness<>(
                new TellingKeyedBroadcast<>(indexer, ControlState.descriptor()),
                OfferedGeneration::shardKey,
                Types.STRING,
                128,
                1,
                0);
        reported = 0;
        harness.setup();
        harness.initializeState(state);
        harness.open();
    }

    private void openAt(long now) throws Exception {
        open(null);
        harness.setProcessingTime(now);
    }

    /** A failure after a checkpoint: all that came later is lost. */
    private void failAndRestore(OperatorSubtaskState checkpoint, long now) throws Exception {
        harness.close();
        open(checkpoint);
        harness.setProcessingTime(now);
    }

    @AfterEach
    void close() throws Exception {
        FaultyStore.failNext(0);
        FaultyStore.meet(0);
        GIVEN_BEFORE.clear();
        harness.close();
    }

    private void offer(AdmittedGeneration... generations) throws Exception {
        for (AdmittedGeneration generation : generations) {
            harness.processElement(new OfferedGeneration(generation, 0, 1, null), START);
        }
    }

    @Test
    void whateverBecameOfARecordItIsToldBeforeTheNextBarrierAndOnce() throws Exception {
        options = new IndexingOptions(1 << 16, 500, 1 << 22, 3_600_000, 1 << 15, ofScope(80), 8);
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "deleted", START + 10), START);
        offer(generation("a", START, 1), generation("a", START, 1), generation("over quota", START, new int[11]));
        offer(generation("deleted", START, 4));
        harness.getOperator().prepareSnapshotPreBarrier(1);
        OperatorSubtaskState checkpoint = harness.snapshot(1, START);
        harness.getOperator().prepareSnapshotPreBarrier(2);
        assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                .extracting(StreamRecord::getValue)
                .containsExactly(TopicNote.taken(4));
        failAndRestore(checkpoint, START);
        offer(generation("b", START, 1));
        harness.getOperator().prepareSnapshotPreBarrier(3);
        assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                .extracting(StreamRecord::getValue)
                .containsExactly(TopicNote.taken(1));
    }

    @Test
    void onlyWhatIsGatheredIsEvaluatedAndWatched() throws Exception {
        options = new IndexingOptions(1 << 16, 500, 1 << 22, 3_600_000, 1 << 15, ofScope(80), 8);
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "deleted", START + 10), START);
        AdmittedGeneration first = generation("a", START - 5, 7, 8, 1, 2, 3);
        harness.processElement(new OfferedGeneration(first, 2, 1, new int[] {7, 8}), START);
        harness.processElement(new OfferedGeneration(first, 2, 1, new int[] {7, 8}), START);
        harness.processElement(offered("over quota", new int[11]), START);
        harness.processElement(offered("deleted", 4), START);
        harness.processElement(new OfferedGeneration(generation("b", START, 5, 6), 0, 1, null), START);

        assertThat(harness.getSideOutput(EvaluationSample.OUTPUT))
                .singleElement()
                .satisfies(element -> {
                    EvaluationSample sample = element.getValue();
                    assertThat(sample.replicaKey()).isEqualTo(LANE + "#1");
                    assertThat(sample.prompt()).containsExactly(7, 8);
                    assertThat(sample.response()).containsExactly(1, 2, 3);
                    assertThat(sample.completedAt()).isEqualTo(START - 5);
                });
        assertThat(harness.getSideOutput(DriftWatch.Observation.OUTPUT))
                .extracting(element -> element.getValue().sketch())
                .containsExactly(TokenReference.sketch(new int[] {1, 2, 3}), TokenReference.sketch(new int[] {5, 6}));
    }

    @Test
    void ofALongResponseTheFirstTokensAreEvaluated() throws Exception {
        openAt(START);
        int[] tokens = new int[EvaluationSample.RESPONSE_TOKENS_MAX + 5];
        tokens[2] = 9;
        harness.processElement(new OfferedGeneration(generation("a", START, tokens), 2, 0, new int[0]), START);
        assertThat(harness.getSideOutput(EvaluationSample.OUTPUT))
                .singleElement()
                .satisfies(element -> assertThat(element.getValue().response())
                        .hasSize(EvaluationSample.RESPONSE_TOKENS_MAX)
                        .startsWith(9, 0));
    }

    private static OfferedGeneration offered(String requestId, int... tokens) {
        return new OfferedGeneration(generation(requestId, START, tokens), 0, 0, new int[0]);
    }

    /** The reports since the last call. */
    private List<ShardProgress> reports() {
        List<ShardProgress> all = harness.extractOutputValues();
        List<ShardProgress> fresh = List.copyOf(all.subList(reported, all.size()));
        reported = all.size();
        return fresh;
    }

    private List<int[]> documents(StoredSegment stored) throws Exception {
        Path file = folder.resolve(stored.path());
        List<int[]> documents = new ArrayList<>();
        try (Segment segment = Segment.openVerified(file, Samples.MODELS.identity(LANE))) {
            for (int document = 0; document < segment.documents(); document++) {
                documents.add(segment.answer(document).tokens());
            }
        }
        return documents;
    }

    @Test
    void aMemtableIsFlushedOnceItsOldestGenerationHasWaited() throws Exception {
        openAt(START);
        offer(generation("a", START - 5, 1, 2, 3), generation("b", START - 4, 4, 5));
        harness.setProcessingTime(START + 499);
        assertThat(reports()).isEmpty();

        harness.setProcessingTime(START + 500);

        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.lane()).isEqualTo(LANE);
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 0, 5, 0));
            assertThat(report.memtableTokens()).isZero();
            assertThat(report.flushed().completionTimes()).containsExactly(START - 5, START - 4);
            assertThat(documents(report.flushed().segment()))
                    .containsExactlyInAnyOrder(new int[] {1, 2, 3}, new int[] {4, 5});
        });
    }

    @Test
    void shardsThatAreDueTogetherAreWrittenSideBySide() throws Exception {
        openAt(START);
        for (int shard = 0; shard < 3; shard++) {
            offer(generation(LANE, shard, "r" + shard, START, 1, 2, 3));
        }
        FaultyStore.meet(3);
        harness.setProcessingTime(START + 500);
        assertThat(reports())
                .hasSize(3)
                .allSatisfy(report -> assertThat(report.flushed()).isNotNull());
    }

    @Test
    void whatIsGatheredIsPassedOnAtOnceAndNothingElse() throws Exception {
        options = new IndexingOptions(1 << 16, 500, 1 << 22, 3_600_000, 1 << 15, ofScope(80), 8);
        openAt(START);
        AdmittedGeneration first = generation("a", START - 5, 1, 2, 3);
        harness.processElement(new OfferedGeneration(first, 0, 1, new int[] {5, 6, 7, 8, 9}), START);
        offer(generation("a", START - 5, 1, 2, 3));
        offer(generation("over quota", START - 4, new int[11]));

        assertThat(harness.getSideOutput(ShardIndexer.ADMITTED)).singleElement().satisfies(element -> {
            OutgoingRecord record = element.getValue();
            assertThat(record.keyText()).isEqualTo(LANE);
            AdmittedAnswer answer = RecordCodec.ADMITTED_ANSWER.decode(record.value());
            assertThat(new RequestHash(answer.getRequestHigh(), answer.getRequestLow()))
                    .isEqualTo(RequestHash.of("a"));
            assertThat(LaneId.of(answer.getLane())).hasToString(LANE);
            assertThat(answer.getPromptTail())
                    .as("of a prompt that evaluation has more of")
                    .containsExactly(7, 8, 9);
            assertThat(answer.getSignature()).isEqualTo(ByteBuffer.wrap(first.signature()));
            assertThat(answer.getTokens()).containsExactly(1, 2, 3);
            assertThat(answer.getCompletedAt().toEpochMilli()).isEqualTo(START - 5);
        });
    }

    @Test
    void onceCheckpointsHaveARhythmMemtablesAreFlushedShortlyBeforeEach() throws Exception {
        openAt(START);
        for (int i = 0; i < 4; i++) {
            CLOCK.set(START + 1_000L * i);
            harness.snapshot(i, START + 1_000L * i);
        }
        harness.setProcessingTime(START + 3_600);
        CLOCK.set(START + 3_600);
        offer(generation("a", START, 1, 2));
        harness.setProcessingTime(START + 4_000 - FlushCadence.FOLD_MILLIS - 1);
        assertThat(reports()).isEmpty();
        harness.setProcessingTime(START + 4_000 - FlushCadence.FOLD_MILLIS);
        assertThat(reports())
                .singleElement()
                .satisfies(report -> assertThat(report.flushed()).isNotNull());
    }

    @Test
    void aFullMemtableIsFlushedAtOnce() throws Exception {
        options = new IndexingOptions(4, 500, 1000, 1000, 64, NO_QUOTA, 8);
        openAt(START);
        offer(generation("a", START, 1, 2), generation("b", START, 3, 4));
        assertThat(reports())
                .singleElement()
                .satisfies(report -> assertThat(report.flushed()).isNotNull());
    }

    @Test
    void afterAFailureTheCheckpointedMemtableIsFlushedAndNothingIsLost() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        OperatorSubtaskState checkpoint = harness.snapshot(1, START);
        offer(generation("lost", START, 7));
        harness.setProcessingTime(START + 500);

        failAndRestore(checkpoint, START + 10_000);

        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 0, 0, 3, 0));
            assertThat(documents(report.flushed().segment())).containsExactly(new int[] {1, 2, 3});
        });
    }

    @Test
    void aFlushThatWasCheckpointedIsNotFlushedAgain() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        harness.setProcessingTime(START + 500);
        failAndRestore(harness.snapshot(1, START), START + 10_000);
        offer(generation("b", START, 9));
        harness.setProcessingTime(START + 20_000);
        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 0, 4, 0));
            assertThat(documents(report.flushed().segment())).containsExactly(new int[] {9});
        });
    }

    @Test
    void aRepeatIsDroppedAndCountedAlsoAfterARestore() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        harness.setProcessingTime(START + 500);
        failAndRestore(harness.snapshot(1, START), START + 1000);
        offer(generation("a", START, 1, 2, 3));
        harness.setProcessingTime(START + 2000);
        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 1, 0, 3, 0));
            assertThat(report.flushed()).isNull();
        });
    }

    /** Whether the brokers have taken it again is a matter of their time. */
    @Test
    void aJobWhoseClockIsADayAheadForgetsNoRepeat() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        harness.setProcessingTime(START + Duration.ofDays(1).toMillis());
        offer(generation("b", START + 5, 4), generation("a", START + 10, 1, 2, 3));
        harness.setProcessingTime(START + Duration.ofDays(1).toMillis() + 500);
        assertThat(reports())
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 1, 0, 4, 0)));
    }

    @Test
    void whileTheStoreFailsTheMemtableStaysAndIsFlushedLater() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        FaultyStore.failNext(1);
        harness.setProcessingTime(START + 500);
        assertThat(reports()).isEmpty();
        harness.setProcessingTime(START + 1000);
        assertThat(reports())
                .singleElement()
                .satisfies(report ->
                        assertThat(documents(report.flushed().segment())).containsExactly(new int[] {1, 2, 3}));
    }

    /** Each try takes seconds of the task's time, and other lanes' answers wait behind it. */
    @Test
    void aStoreThatFailsIsTriedWithGrowingPausesHoweverMuchComes() throws Exception {
        options = new IndexingOptions(2, 500, 1000, 3_600_000, 1 << 15, NO_QUOTA, 8);
        openAt(START);
        FaultyStore.failNext(100);
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < 5; i++) {
                offer(generation(second + "-" + i, START, second, i));
            }
            harness.setProcessingTime(START + 1000L * (second + 1));
        }
        assertThat(100 - FaultyStore.failuresToCome()).as("tries").isBetween(10, 20);
        assertThat(reports()).isEmpty();
        FaultyStore.failNext(0);
        harness.setProcessingTime(START + 60_000 + StorePause.MILLIS_MAX);
        assertThat(reports())
                .singleElement()
                .satisfies(report ->
                        assertThat(documents(report.flushed().segment())).hasSize(300));
    }

    @Test
    void aMemtableBeyondItsLimitFailsTheTaskSoThatTheSourceWaits() throws Exception {
        options = new IndexingOptions(2, 500, 3, 1000, 64, NO_QUOTA, 8);
        openAt(START);
        FaultyStore.failNext(10);
        offer(generation("a", START, 1, 2));
        assertThatThrownBy(() -> offer(generation("b", START, 3, 4)))
                .hasStackTraceContaining("4 tokens wait and the store still fails");
    }

    @Test
    void aDeleteEmptiesTheMemtableAtOnceAndCatchesLateArrivals() throws Exception {
        openAt(START);
        offer(generation("a", START - 10, 1, 2), generation("b", START - 10, 3));
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "a", START), START);
        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.memtableTokens()).isEqualTo(1);
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 0, 3, 2));
        });

        failAndRestore(harness.snapshot(1, START), START + 1);
        harness.processBroadcastElement(Samples.deleteRequest("d2", "acme", "late", START), START);
        offer(generation("late", START - 1, 4, 5), generation("later", START + 1, 6));
        harness.setProcessingTime(START + 1000);

        assertThat(reports()).last().satisfies(report -> {
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(4, 0, 0, 6, 4));
            assertThat(report.flushed().segment().liveTokens()).isEqualTo(2);
        });
    }

    @Test
    void whatWasDeletedSinceTheCheckpointIsNotPassedOnAfterARestore() throws Exception {
        openAt(START);
        offer(generation("a", START - 10, 1, 2, 3));
        OperatorSubtaskState checkpoint = harness.snapshot(1, START);
        GIVEN_BEFORE.add(Samples.deleteRequest("d1", "acme", "later", START));
        GIVEN_BEFORE.add(Samples.deleteScope("d2", "zenith", START));
        failAndRestore(checkpoint, START);
        offer(generation("later", START - 5, 4, 5, 6), generation("b", START - 5, 7, 8));
        assertThat(harness.getSideOutput(ShardIndexer.ADMITTED)).hasSize(1);
    }

    @Test
    void deletesAreKeptAsLongAsAGenerationTheyCoverMayArriveAndNoLonger() throws Exception {
        openAt(START);
        for (int i = 0; i < 1_000; i++) {
            long issuedAt = START + Duration.ofHours(i).toMillis();
            harness.setProcessingTime(issuedAt);
            harness.processBroadcastElement(Samples.deleteRequest("d" + i, "acme", "r" + i, issuedAt), issuedAt);
        }
        long now = START + Duration.ofHours(999).toMillis();
        int kept = 0;
        for (var unused : harness.getBroadcastState(ControlState.descriptor()).immutableEntries()) {
            kept++;
        }
        assertThat(kept).isEqualTo(8 * 24 + 1);
        failAndRestore(harness.snapshot(1, now), now);
        offer(generation("r990", now - Duration.ofHours(20).toMillis(), 1, 2), generation("other", now, 3));
        harness.setProcessingTime(now + 1_000);
        assertThat(reports())
                .singleElement()
                .satisfies(report ->
                        assertThat(documents(report.flushed().segment())).containsExactly(new int[] {3}));
    }

    /** Producers' clocks may be ahead; a request's id says what is meant. */
    @Test
    void aDeleteOfARequestReachesItAlsoIfItsProducersClockWasAhead() throws Exception {
        openAt(START);
        offer(generation("a", START + 240_000, 1, 2), generation("b", START + 240_000, 3));
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "a", START + 10), START + 10);
        harness.setProcessingTime(START + 500);
        assertThat(reports())
                .last()
                .satisfies(report ->
                        assertThat(documents(report.flushed().segment())).containsExactly(new int[] {3}));
    }

    @Test
    void aDeleteTouchesNoOtherScopeAndNothingCompletedAfterIt() throws Exception {
        openAt(START);
        offer(generation("a", START + 1, 1), generation(OTHER_LANE, 0, "a", START - 1, 2));
        harness.processBroadcastElement(Samples.deleteScope("d1", "acme", START), START);
        offer(generation("late", START + 1, 3), generation(OTHER_LANE, 0, "late", START - 1, 4));
        harness.setProcessingTime(START + 500);
        assertThat(reports()).hasSize(2).allSatisfy(report -> {
            assertThat(report.counters().tokensDeleted()).isZero();
            assertThat(report.flushed().segment().liveTokens()).isEqualTo(2);
        });
    }

    @Test
    void theFlushCommandMakesSegmentsNow() throws Exception {
        openAt(START);
        offer(generation("a", START, 1), generation(LANE, 5, "b", START, 2));
        harness.processBroadcastElement(Samples.command("f1", Command.FLUSH, null), START);
        assertThat(reports())
                .hasSize(2)
                .allSatisfy(report -> assertThat(report.flushed()).isNotNull());
    }

    @Test
    void whatIsOverTheQuotaGoesToRejections() throws Exception {
        options = new IndexingOptions(100, 500, 1000, 1000, 64, ofScope(8), 2);
        openAt(START);
        offer(generation("a", START, 1, 2, 3), generation("b", START, 4, 5));
        Rejection rejection = rejection();
        assertThat(rejection.getReason()).isEqualTo(RejectionReason.QUOTA_EXCEEDED);
        assertThat(rejection.getTopic()).isEqualTo("generations");
        assertThat(rejection.getDetail()).contains("2 tokens", "quota of the scope, 8 tokens a minute over 2 shards");
        harness.setProcessingTime(START + 500);
        assertThat(reports())
                .singleElement()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 0, 1, 3, 0)));
    }

    @Test
    void whatIsOverItsProducersQuotaGoesToRejectionsAndTakesNothingOfTheScopes() throws Exception {
        options = new IndexingOptions(100, 500, 1000, 1000, 64, new IndexingOptions.Quotas(16, 8), 2);
        openAt(START);
        offer(generation("a", START, 1, 2, 3), generation("b", START, 4, 5), by("worker-2", "c", 1, 2, 3, 4));
        Rejection rejection = rejection();
        assertThat(rejection.getReason()).isEqualTo(RejectionReason.PRODUCER_QUOTA_EXCEEDED);
        assertThat(rejection.getDetail())
                .contains("2 tokens", "quota of producer worker-1, 8 tokens a minute over 2 shards");
        offer(by("worker-3", "d", 1, 2));
        assertThat(rejection().getReason()).isEqualTo(RejectionReason.QUOTA_EXCEEDED);
        harness.setProcessingTime(START + 500);
        assertThat(reports())
                .singleElement()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 2, 7, 0)));
    }

    private static AdmittedGeneration by(String producer, String requestId, int... tokens) {
        AdmittedGeneration of = generation(requestId, START, tokens);
        return new AdmittedGeneration(
                of.lane(),
                of.shard(),
                of.requestHigh(),
                of.requestLow(),
                producer,
                of.completedAt(),
                of.arrivedAt(),
                of.promptTail(),
                of.signature(),
                of.copied(),
                of.tokens(),
                of.partition(),
                of.offset());
    }

    private Rejection rejection() throws Exception {
        return RecordCodec.REJECTION.decode(harness.getSideOutput(RejectedRecord.OUTPUT)
                .remove()
                .getValue()
                .record()
                .value());
    }

    @Test
    void theScratchFolderIsGoneAfterClosing() throws Exception {
        openAt(START);
        offer(generation("a", START, 1));
        harness.setProcessingTime(START + 500);
        harness.close();
        try (var left = Files.list(folder.resolve("scratch"))) {
            assertThat(left).isEmpty();
        }
    }
}
