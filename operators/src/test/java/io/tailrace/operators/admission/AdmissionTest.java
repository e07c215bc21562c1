package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.barriers.TellingBroadcast;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The function in Flink's own harness. */
@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class AdmissionTest {
    private static final long NOW = 1_700_000_000_000L;

    /** Where the topic begins. Static, since the function is serialised on its way into the harness. */
    private static final AtomicLong FIRST = new AtomicLong();

    /** Which topic is read. */
    private static final AtomicReference<String> TOPIC = new AtomicReference<>("cluster-a/1");

    @BeforeEach
    void atTheBeginningOfTheFirstTopic() {
        FIRST.set(0);
        TOPIC.set("cluster-a/1");
    }

    private static RawRecord record(String requestId, int promptTokens) {
        return record(requestId, promptTokens, 17);
    }

    private static RawRecord record(String requestId, int promptTokens, long offset) {
        int[] prompt = new int[promptTokens];
        prompt[promptTokens - 1] = 9;
        Generation generation = new Generation(
                requestId,
                new Lane("toy", "1", "acme"),
                "gateway-7",
                TokenIds.toList(prompt),
                TokenIds.toList(new int[] {1, 2, 3}),
                Instant.ofEpochMilli(NOW - 10),
                Instant.ofEpochMilli(NOW),
                null);
        return new RawRecord("generations", 3, offset, NOW, RecordCodec.GENERATION.encode(generation));
    }

    private static BroadcastOperatorTestHarness<RawRecord, LaneSignal, OfferedGeneration> harness(
            double share, Set<String> withPrompts) throws Exception {
        AdmissionOptions options = new AdmissionOptions(
                Samples.MODELS,
                AdmissionOptions.Limits.defaults(),
                List.of(),
                8,
                withPrompts,
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                10,
                false);
        var harness = ProcessFunctionTestHarnesses.forBroadcastProcessFunction(
                new Admission(
                        options,
                        new EvaluationSample.Sampling(share, 2),
                        name -> TOPIC.get(),
                        (name, partition) -> FIRST.get()),
                LaneSignal.descriptor());
        harness.setProcessingTime(NOW);
        harness.processBroadcastElement(announced(), NOW);
        return harness;
    }

    private static LaneSignal announced() {
        return new LaneSignal(LaneSignal.Kind.SNAPSHOT, Samples.LANE, 7, 7, 0, null);
    }

    private static BroadcastOperatorTestHarness<RawRecord, LaneSignal, OfferedGeneration> restored(
            OperatorSubtaskState state) throws Exception {
        AdmissionOptions options = new AdmissionOptions(
                Samples.MODELS,
                AdmissionOptions.Limits.defaults(),
                List.of(),
                8,
                Set.of(),
                PromptTails.defaults(),
                PromptSignatures.defaults(),
                10,
                false);
        var harness = new BroadcastOperatorTestHarness<>(
                new TellingBroadcast<>(
                        new Admission(
                                options,
                                new EvaluationSample.Sampling(1, 2),
                                name -> TOPIC.get(),
                                (name, partition) -> FIRST.get()),
                        LaneSignal.descriptor()),
                128,
                1,
                0);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(NOW);
        return harness;
    }

    @Test
    void whatBelongsToALaneThatWasNeverAnnouncedIsForTheRegisterToDecide() throws Exception {
        try (var harness = restored(null)) {
            harness.processElement(record("request", 5), NOW);
            assertThat(harness.extractOutputValues()).isEmpty();
            OfferedGeneration offered = harness.getSideOutput(OfferedGeneration.OF_NEW_LANES)
                    .element()
                    .getValue();
            assertThat(offered.generation().lane()).isEqualTo(Samples.LANE);
            assertThat(offered.generation().tokens()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void onceItsLaneWasAnnouncedAGenerationGoesToItsShardAtOnceAlsoAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = restored(null)) {
            harness.processBroadcastElement(announced(), NOW);
            checkpoint = harness.snapshot(1, NOW);
        }
        try (var harness = restored(checkpoint)) {
            harness.processElement(record("request", 5), NOW);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(
                            offered -> assertThat(offered.generation().lane()).isEqualTo(Samples.LANE));
            assertThat(harness.getSideOutput(OfferedGeneration.OF_NEW_LANES)).isNullOrEmpty();
        }
    }

    @Test
    void whatRetentionRemovedBeforeItWasReadIsToldAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = restored(null)) {
            harness.processElement(record("a", 5, 17), NOW);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(TopicNote.begun(0));
            checkpoint = harness.snapshot(1, NOW);
        }
        FIRST.set(40);
        try (var harness = restored(checkpoint)) {
            harness.processElement(record("b", 5, 41), NOW);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(TopicNote.begun(0), TopicNote.lost(new LostRecords("generations", 3, 18, 22)));
        }
    }

    @Test
    void whatWasReadOrLostIsToldBeforeTheNextBarrierAndOnceAlsoOnAnotherTopicAndBack() throws Exception {
        OperatorSubtaskState checkpoint = null;
        long told = 0;
        for (String topic : List.of("cluster-a/1", "cluster-a/1", "cluster-b/2", "cluster-a/1")) {
            TOPIC.set(topic);
            try (var harness = restored(checkpoint)) {
                harness.processElement(record("a", 5, 17), NOW);
                harness.processElement(new RawRecord("generations", 3, 18, NOW, new byte[3]), NOW);
                for (int barrier = 1; barrier <= 2; barrier++) {
                    harness.getOperator().prepareSnapshotPreBarrier(barrier);
                    checkpoint = harness.snapshot(barrier, NOW);
                }
                assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                        .extracting(StreamRecord::getValue)
                        .as("after %d", told)
                        .containsExactly(
                                TopicNote.begun(topic.endsWith("2") ? 4 : told == 6 ? 6 : 0), TopicNote.passed(2));
                told += 2;
            }
        }
        FIRST.set(40);
        try (var harness = restored(checkpoint)) {
            harness.processElement(record("b", 5, 41), NOW);
            harness.getOperator().prepareSnapshotPreBarrier(1);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .contains(TopicNote.lost(new LostRecords("generations", 3, 19, 21)), TopicNote.passed(22));
        }
    }

    @Test
    void onAnotherTopicOffsetsBeginAnewAndWhatWasReadBeforeIsToldOnceAStart() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = restored(null)) {
            for (int i = 0; i < 5; i++) {
                harness.processElement(record("a" + i, 5, 17 + i), NOW);
            }
            checkpoint = harness.snapshot(1, NOW);
        }
        FIRST.set(40);
        TOPIC.set("cluster-b/2");
        try (var harness = restored(checkpoint)) {
            harness.processBroadcastElement(announced(), NOW);
            harness.processElement(record("b", 5, 41), NOW);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(TopicNote.begun(5));
            checkpoint = harness.snapshot(2, NOW);
        }
        try (var harness = restored(checkpoint)) {
            harness.processBroadcastElement(announced(), NOW);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .as("still the second topic")
                    .containsExactly(TopicNote.begun(5));
        }
        TOPIC.set("cluster-a/1");
        try (var harness = restored(checkpoint)) {
            harness.processElement(record("c", 5, 17), NOW);
            assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                    .extracting(StreamRecord::getValue)
                    .as("back on the first, whose offsets are not gone on from")
                    .containsExactly(TopicNote.begun(6));
        }
    }

    @Test
    void onlyTheSampledShareCarriesItsPromptAndOfALongOneTheEnd() throws Exception {
        try (var harness = harness(0.25, Set.of())) {
            for (int i = 0; i < 400; i++) {
                harness.processElement(record("request-" + i, 20), NOW);
            }
            assertThat(harness.extractOutputValues()).hasSize(400);
            assertThat(harness.extractOutputValues().stream().filter(OfferedGeneration::isSampled))
                    .hasSizeBetween(60, 140)
                    .allSatisfy(offered -> assertThat(offered.sample().prompt()).hasSize(20));
        }
        try (var harness = harness(1, Set.of())) {
            harness.processElement(record("request", EvaluationSample.PROMPT_TOKENS_MAX + 7), NOW);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(offered -> {
                assertThat(offered.sample().prompt())
                        .hasSize(EvaluationSample.PROMPT_TOKENS_MAX)
                        .endsWith(0, 9);
                assertThat(offered.sample().response()).containsExactly(1, 2, 3);
            });
        }
    }

    @Test
    void aPromptThatIsIndexedIsNoPartOfTheResponse() throws Exception {
        try (var harness = harness(0, Set.of("acme"))) {
            harness.processElement(record("request", 5), NOW);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(offered -> {
                assertThat(offered.generation().tokens()).hasSize(8);
                assertThat(offered.responseFrom()).isEqualTo(5);
                assertThat(offered.observation().sketch()).hasSize(3);
            });
        }
    }

    @Test
    void whileAnAlarmIsOnAllIsSampled() throws Exception {
        try (var harness = harness(0.01, Set.of())) {
            harness.processBroadcastElement(new LaneSignal(LaneSignal.Kind.ALARM, Samples.LANE, 0, NOW, 0, null), NOW);
            for (int i = 0; i < 20; i++) {
                harness.processElement(record("request-" + i, 20), NOW);
            }
            assertThat(harness.extractOutputValues()).hasSize(20).allMatch(OfferedGeneration::isSampled);
        }
    }

    @Test
    void whatASupersededJobTellsOfALaneIsNotHeard() throws Exception {
        try (var harness = harness(0.01, Set.of())) {
            harness.processBroadcastElement(new LaneSignal(LaneSignal.Kind.SNAPSHOT, Samples.LANE, 8, 8, 2, null), NOW);
            harness.processBroadcastElement(alarm(NOW, 1), NOW);
            assertThat(sampled(harness, "before")).isLessThan(20);
            harness.processBroadcastElement(alarm(NOW, 2), NOW);
            harness.processBroadcastElement(alarm(0, 1), NOW);
            assertThat(sampled(harness, "alarmed")).isEqualTo(20);
            harness.processBroadcastElement(alarm(0, 2), NOW);
            assertThat(sampled(harness, "after")).isLessThan(20);
        }
    }

    /** @param at 0: it is over */
    private static LaneSignal alarm(long at, long epoch) {
        return new LaneSignal(LaneSignal.Kind.ALARM, Samples.LANE, 0, at, epoch, null);
    }

    /** Of twenty more. */
    private static long sampled(
            BroadcastOperatorTestHarness<RawRecord, LaneSignal, OfferedGeneration> harness, String name)
            throws Exception {
        int before = harness.extractOutputValues().size();
        for (int i = 0; i < 20; i++) {
            harness.processElement(record(name + i, 20), NOW);
        }
        return harness.extractOutputValues().stream()
                .skip(before)
                .filter(OfferedGeneration::isSampled)
                .count();
    }
}
