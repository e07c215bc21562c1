package io.tailrace.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.outcomes.OutcomeDecoding;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.SignalDecoding;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.schemas.signing.TrustedKeys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.operators.StreamFlatMap;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever may write to a topic may write anything to it; the job goes on. */
@SuppressWarnings("try") // a harness may be interrupted while it closes; then the test fails, as it should
final class RecordDecodingTest {
    /** Of a schema that nobody knows. */
    private static final byte[] NEWER = {(byte) 0xC3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0};

    @Test
    void anAlarmIsNoYoungerThanItsRecordWhateverItSays() throws Exception {
        long year9999 = 253_370_764_800_000L;
        for (long at : new long[] {year9999, 4_000, 0}) {
            byte[] event = new Notice(EventKind.DRIFT, "a test", Map.of())
                    .toRecord(Samples.LANE, at, 1)
                    .value();
            try (var harness = new OneInputStreamOperatorTestHarness<>(
                    new StreamFlatMap<>(SignalDecoding.ofEvents(TrustedKeys.none())))) {
                harness.open();
                harness.processElement(new RawRecord("events", 0, 0, 5_000, event), 0);
                assertThat(harness.extractOutputValues())
                        .singleElement()
                        .satisfies(alarm -> assertThat(alarm.at()).isEqualTo(Math.max(1, Math.min(at, 5_000))));
            }
        }
    }

    private static Map<Topic, RecordDecoding<?>> decodings() {
        return Map.of(
                Topic.CONTROL,
                ControlCommand.Decoding.ofOperators(TrustedKeys.none()),
                Topic.SNAPSHOTS,
                SignalDecoding.ofSnapshots(TrustedKeys.none()),
                Topic.EVENTS,
                SignalDecoding.ofEvents(TrustedKeys.none()),
                Topic.WORKERS,
                new LaneMessage.WorkerDecoding());
    }

    static Stream<Arguments> badRecords() {
        List<Arguments> all = new ArrayList<>();
        decodings().forEach((topic, decoding) -> {
            all.add(Arguments.of(topic, decoding, "empty", new byte[0]));
            all.add(Arguments.of(topic, decoding, "junk", new byte[] {1, 2, 3}));
            all.add(Arguments.of(topic, decoding, "newer schema", NEWER));
            if ("delete".equals(topic.settings().get("cleanup.policy"))) {
                all.add(Arguments.of(topic, decoding, "no value", null));
            }
        });
        return all.stream();
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("badRecords")
    void whatCannotBeReadIsSkippedAndCounted(Topic topic, RecordDecoding<?> decoding, String what, byte[] value)
            throws Exception {
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            for (int i = 0; i < 3; i++) {
                harness.processElement(new RawRecord(topic.name(""), 0, i, 0, value), 0);
            }
            assertThat(harness.getOutput()).isEmpty();
            assertThat(decoding.skipped()).isEqualTo(3);
        }
    }

    /** It would be the newest version for ever, and the job would count on from it. */
    @Test
    void aVersionThatNoClockReachesIsSkippedAndCounted() throws Exception {
        for (long version : new long[] {Long.MAX_VALUE - 1, System.currentTimeMillis() + 86_400_000}) {
            SnapshotManifest manifest = Samples.manifest(version);
            RecordDecoding<LaneSignal> decoding = SignalDecoding.ofSnapshots(TrustedKeys.none());
            try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
                harness.open();
                harness.processElement(announced(manifest, 0), 0);
                assertThat(harness.getOutput()).isEmpty();
                assertThat(decoding.skipped()).isEqualTo(1);
                harness.processElement(announced(Samples.manifest(System.currentTimeMillis()), 0), 0);
                assertThat(harness.getOutput()).hasSize(1);
            }
        }
    }

    /** By the brokers' clock it was announced in time, so it is this job's that is behind. */
    @Test
    void aVersionThatTheBrokersClockHadReachedIsHeard() throws Exception {
        long dayAhead = System.currentTimeMillis() + 86_400_000;
        RecordDecoding<LaneSignal> decoding = SignalDecoding.ofSnapshots(TrustedKeys.none());
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            harness.processElement(announced(Samples.manifest(dayAhead), dayAhead + 5), 0);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(signal -> {
                assertThat(signal.number()).isEqualTo(dayAhead);
                assertThat(signal.at()).as("when the brokers took it").isEqualTo(dayAhead + 5);
            });
        }
    }

    /** The withdrawal of its version would not reach it, and compaction would keep it for ever. */
    @Test
    void aManifestUnderAnotherKeyIsSkippedAndCounted() throws Exception {
        RecordDecoding<LaneSignal> decoding = SignalDecoding.ofSnapshots(TrustedKeys.none());
        byte[] bytes = RecordCodec.SNAPSHOT_MANIFEST.encode(Samples.manifest(7));
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            for (String key : List.of("x", Samples.LANE + "#8", Samples.LANE + "#07", "other@1/s#7")) {
                byte[] other = key.getBytes(StandardCharsets.UTF_8);
                harness.processElement(new RawRecord("snapshots", 0, 0, 0, bytes, other, null), 0);
            }
            harness.processElement(new RawRecord("snapshots", 0, 0, 0, bytes), 0);
            assertThat(harness.getOutput()).isEmpty();
            assertThat(decoding.skipped()).isEqualTo(5);
        }
    }

    private static RawRecord announced(SnapshotManifest manifest, long takenMillis) {
        return new RawRecord(
                "snapshots",
                0,
                0,
                takenMillis,
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest),
                SnapshotKey.of(manifest).bytes(),
                null);
    }

    private static RawRecord status(String worker, Instant reportedAt, long takenMillis) {
        WorkerStatus status = new WorkerStatus(
                worker,
                "cpu",
                LaneId.parse(Samples.LANE).toLane(),
                0L,
                Instant.EPOCH,
                0L,
                0L,
                0L,
                0L,
                null,
                -1L,
                -1L,
                reportedAt);
        return new RawRecord("workers", 0, 0, takenMillis, RecordCodec.WORKER_STATUS.encode(status));
    }

    /** Whether a worker is there does not depend on its clock. */
    @Test
    void aWorkersReportIsOfTheTimeAtWhichTheBrokersTookIt() throws Exception {
        try (var harness =
                new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(new LaneMessage.WorkerDecoding()))) {
            harness.open();
            harness.processElement(status("w", Instant.ofEpochMilli(90_000), 1_000), 0);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(message -> assertThat(message.worker().at()).isEqualTo(1_000));
        }
    }

    /** Each lane's state keeps its workers' names. */
    @Test
    void aWorkerWhoseNameIsTooLongIsSkippedAndCounted() throws Exception {
        RecordDecoding<LaneMessage> decoding = new LaneMessage.WorkerDecoding();
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
            harness.open();
            harness.processElement(status("w".repeat(200), Instant.EPOCH, 0), 0);
            harness.processElement(status("w".repeat(201), Instant.EPOCH, 0), 0);
            assertThat(harness.getOutput()).hasSize(1);
            assertThat(decoding.skipped()).isEqualTo(1);
        }
    }

    /** Of a compacted topic a record without a value is a withdrawal. */
    @Test
    void whatWasWithdrawnIsNoBadRecord() throws Exception {
        for (Topic topic : List.of(Topic.SNAPSHOTS, Topic.WORKERS)) {
            RecordDecoding<?> decoding = decodings().get(topic);
            try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFlatMap<>(decoding))) {
                harness.open();
                harness.processElement(new RawRecord(topic.name(""), 0, 0, 0, null), 0);
                assertThat(harness.getOutput()).isEmpty();
                assertThat(decoding.skipped()).isZero();
            }
        }
    }

    @Test
    void anOutcomeThatCannotBeReadIsSkipped() throws Exception {
        try (var harness = ProcessFunctionTestHarnesses.forProcessFunction(
                new OutcomeDecoding(Samples.MODELS, BoundTopics.only("outcomes")))) {
            for (byte[] value : new byte[][] {null, {}, {1, 2, 3}, NEWER}) {
                harness.processElement(new RawRecord("outcomes", 0, 0, 0, value), 0);
            }
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }
}
