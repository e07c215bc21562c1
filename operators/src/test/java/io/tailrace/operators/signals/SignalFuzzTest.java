package io.tailrace.operators.signals;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.FuzzedRecords;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.testkit.AllocationLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.junit.jupiter.params.provider.MethodSource;

/** Topics events and snapshots, as the job hears of itself; the first byte says which. */
final class SignalFuzzTest {
    private static final FuzzedRecords EVENTS = FuzzedRecords.of(
            RecordCodec.EVENT,
            Arrays.stream(EventKind.values()).map(SignalFuzzTest::event).toList());
    private static final FuzzedRecords MANIFESTS =
            FuzzedRecords.of(RecordCodec.SNAPSHOT_MANIFEST, List.of(Samples.manifest(1_700_000_000_000L)));
    private static final byte OF_EVENTS = 0;
    private static final byte OF_SNAPSHOTS = 1;

    private static Event event(EventKind kind) {
        return new Event(
                kind,
                LaneId.parse(Samples.LANE).toLane(),
                "a test",
                new TreeMap<>(Map.of("trial", 3L)),
                Instant.ofEpochMilli(5),
                null,
                null,
                null,
                0L);
    }

    static Stream<byte[]> seeds() {
        return Stream.concat(
                EVENTS.seeds().map(body -> concat(OF_EVENTS, body)),
                MANIFESTS.seeds().map(body -> concat(OF_SNAPSHOTS, body)));
    }

    private static byte[] concat(byte first, byte[] rest) {
        byte[] both = new byte[rest.length + 1];
        both[0] = first;
        System.arraycopy(rest, 0, both, 1, rest.length);
        return both;
    }

    @MethodSource("seeds")
    @FuzzTest
    void aRecordIsTakenOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(data, 1, data.length);
        boolean events = (data[0] & 1) == OF_EVENTS;
        SignalDecoding decoding =
                events ? SignalDecoding.ofEvents(TrustedKeys.none()) : SignalDecoding.ofSnapshots(TrustedKeys.none());
        List<LaneSignal> signals = new ArrayList<>();
        try {
            AllocationLimit.check(body.length, () -> {
                decoding.decode(
                        events ? EVENTS.raw(body) : underItsKey(MANIFESTS.raw(body)), new ListCollector<>(signals));
                return null;
            });
        } catch (UndecodableRecordException | IllegalArgumentException refused) {
            return;
        }
        for (LaneSignal signal : signals) {
            assertThat(LaneId.parse(signal.lane()).toString()).isEqualTo(signal.lane());
        }
    }

    private static RawRecord underItsKey(RawRecord raw) throws UndecodableRecordException {
        byte[] key = SnapshotKey.of(RecordCodec.SNAPSHOT_MANIFEST.decode(raw.value()))
                .bytes();
        return new RawRecord(raw.topic(), raw.partition(), raw.offset(), raw.timestampMillis(), raw.value(), key, null);
    }
}
