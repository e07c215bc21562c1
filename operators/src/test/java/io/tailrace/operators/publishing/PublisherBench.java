package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.SameThread;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.timers.KeyedBroadcast;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.Segment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;

/**
 * A lane publisher in Flink's harness, over a real store, merging in the test's thread; shards that feed it; a clock that the test advances.
 *
 * <pre>{@code
 * PublisherBench bench = new PublisherBench(folder, PublisherBench.options(3, 1 << 18), PublisherBench.START);
 * bench.arrive(0, generation("a", START, 1, 2, 3));
 * bench.advance(1000);
 * SnapshotManifest manifest = only(bench.manifests());
 * assertThat(bench.documents(manifest)).containsExactly("[1, 2, 3]");
 * assertBalanced(bench.accounting());
 * bench.restore(bench.checkpoint());
 * bench.close();
 * }</pre>
 */
final class PublisherBench {
    static final long START = 1_700_000_000_000L;

    /** Static, since the function is serialised on its way into the harness. */
    private static final AtomicLong CLOCK = new AtomicLong();

    private final Path folder;
    private final DurableStore.Factory stores;
    private final PublishingOptions options;
    /** Of the job's claim. */
    static final long EPOCH = 7;

    private final Arrivals arrivals = new Arrivals();
    private KeyedBroadcastOperatorTestHarness<String, LaneMessage, ControlCommand, OutgoingRecord> harness;
    private long now;
    private int taken;

    /** What came out for topic snapshots. */
    record Published(String key, SnapshotManifest manifest) {}

    /** A publisher that has announced nothing, at that time. */
    PublisherBench(Path folder, PublishingOptions options, long now) throws Exception {
        this.folder = folder;
        this.options = options;
        this.stores = FaultyStore.around(FlinkFileStore.factory(folder.toUri()));
        this.now = now;
        open(null, List.of());
    }

    static PublishingOptions options(int versionsRetained, long newestTokensMax) {
        return options(versionsRetained, newestTokensMax, Duration.ofMinutes(15));
    }

    static PublishingOptions options(int versionsRetained, long newestTokensMax, Duration deleteBound) {
        return options(versionsRetained, newestTokensMax, deleteBound, PublishingOptions.WAITING_BYTES_MAX);
    }

    static PublishingOptions options(
            int versionsRetained, long newestTokensMax, Duration deleteBound, long waitingBytesMax) {
        return new PublishingOptions(
                1000,
                newestTokensMax,
                Duration.ofMinutes(10).toMillis(),
                waitingBytesMax,
                32_000_000,
                Duration.ofDays(30).toMillis(),
                0,
                Duration.ofDays(8).toMillis(),
                deleteBound.toMillis(),
                versionsRetained,
                Duration.ofDays(7).toMillis(),
                Duration.ofMinutes(1).toMillis(),
                1 << 20,
                true);
    }

    private void open(OperatorSubtaskState state, List<ControlCommand> history) throws Exception {
        LanePublisher publisher = new LanePublisher(
                options,
                LaneLearning.Options.defaults(),
                Samples.MODELS,
                stores,
                () -> history,
                job -> EPOCH,
                folder.resolve("scratch").toString(),
                SameThread::new,
                CLOCK::get,
                millis -> {});
        harness = new KeyedBroadcastOperatorTestHarness<>(
                new KeyedBroadcast<>(publisher, ControlState.descriptor()), LaneMessage::lane, Types.STRING, 128, 1, 0);
        taken = 0;
        CLOCK.set(now);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(now);
    }

    OperatorSubtaskState checkpoint() throws Exception {
        return harness.snapshot(1, now);
    }

    /** A checkpoint that is being written until what comes back is cancelled. */
    OperatorSnapshotFutures beginCheckpoint() throws Exception {
        return harness.getOperator()
                .snapshotState(
                        1,
                        now,
                        CheckpointOptions.forCheckpointWithDefaultLocation(),
                        new MemCheckpointStreamFactory(1 << 20));
    }

    /** What Flink holds of a lane. */
    StateCell<Lane> held(String lane) throws Exception {
        var operator = (AbstractStreamOperator<?>) harness.getOperator();
        operator.setCurrentKey(lane);
        ValueState<StateCell<Lane>> held = operator.getKeyedStateBackend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("lane", StateCell.<Lane>serializer()));
        return held.value();
    }

    /** The job failed, and begins anew from a checkpoint and what lies on topic control. */
    void restore(OperatorSubtaskState checkpoint, ControlCommand... history) throws Exception {
        harness.close();
        open(checkpoint, List.of(history));
        fireAll();
    }

    /** Lanes that were restored have their timers at a start, as with {@link io.tailrace.operators.timers.SteadyProcess}. */
    private void fireAll() throws Exception {
        var operator = (KeyedBroadcast<?, ?, ?, ?>) harness.getOperator();
        InternalTimerService<VoidNamespace> timers =
                operator.getInternalTimerService("user-timers", VoidNamespaceSerializer.INSTANCE, operator);
        List<Object> keys = new ArrayList<>();
        timers.forEachProcessingTimeTimer((namespace, at) -> keys.add(operator.getCurrentKey()));
        for (Object key : keys) {
            operator.setCurrentKey(key);
            timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, now + 1);
        }
    }

    /** When what waits is to fire next; the timers behind it are not told. */
    Set<Long> timers() {
        return Set.copyOf(harness.getProcessingTimeService().getActiveTimerTimestamps());
    }

    void control(ControlCommand command) throws Exception {
        harness.processBroadcastElement(command, now);
    }

    void input(LaneMessage input) throws Exception {
        harness.processElement(input, now);
    }

    /** A shard passes generations on. */
    void arrive(int shard, AdmittedGeneration... generations) throws Exception {
        for (AdmittedGeneration generation : generations) {
            input(LaneMessage.of(arrivals.of(shard, generation)));
        }
    }

    /** Time passes, and the publisher's timers with it. */
    void advance(long millis) throws Exception {
        for (long end = now + millis; now < end; ) {
            now = Math.min(end, now + 50);
            CLOCK.set(now);
            harness.setProcessingTime(now);
        }
    }

    /** The clock is set back; timers stay as they were set. */
    void setBack(long millis) throws Exception {
        now -= millis;
        CLOCK.set(now);
        harness.setProcessingTime(now);
    }

    long now() {
        return now;
    }

    /** What was published since the last call; tombstones have no manifest. */
    List<Published> published() throws Exception {
        List<OutgoingRecord> all = harness.extractOutputValues();
        List<Published> fresh = new ArrayList<>();
        for (OutgoingRecord record : all.subList(taken, all.size())) {
            SnapshotManifest manifest =
                    record.value() == null ? null : RecordCodec.SNAPSHOT_MANIFEST.decode(record.value());
            fresh.add(new Published(record.keyText(), manifest));
        }
        taken = all.size();
        return fresh;
    }

    List<SnapshotManifest> manifests() throws Exception {
        return published().stream()
                .map(Published::manifest)
                .filter(manifest -> manifest != null)
                .toList();
    }

    /** The one that there is. */
    static SnapshotManifest only(List<SnapshotManifest> manifests) {
        assertThat(manifests).hasSize(1);
        return manifests.get(0);
    }

    /** Keys of the versions that were withdrawn. */
    static List<String> tombstones(List<Published> published) {
        return published.stream()
                .filter(record -> record.manifest() == null)
                .map(Published::key)
                .toList();
    }

    /** The events since the last call. */
    List<Event> events() throws Exception {
        List<Event> events = new ArrayList<>();
        var queue = harness.getSideOutput(LanePublisher.EVENTS);
        while (queue != null && !queue.isEmpty()) {
            events.add(RecordCodec.EVENT.decode(queue.remove().getValue().value()));
        }
        assertThat(events).allMatch(event -> event.getEpoch() == EPOCH);
        return events;
    }

    /** The events of these kinds since the last call of {@link #events}. */
    List<Event> told(EventKind... kinds) throws Exception {
        return events().stream()
                .filter(event -> List.of(kinds).contains(event.getKind()))
                .toList();
    }

    /** Numbers of the last accounting event since the last call of {@link #events}. */
    Map<String, Long> accounting() throws Exception {
        Map<String, Long> last = Map.of();
        for (Event event : events()) {
            if (event.getKind() == EventKind.ACCOUNTING) {
                last = new TreeMap<>(event.getNumbers());
            }
        }
        return last;
    }

    /** What was admitted is live, or waits, or left for a reason. */
    static void assertBalanced(Map<String, Long> numbers) {
        assertThat(numbers.get("tokensAdmitted"))
                .as("%s", numbers)
                .isEqualTo(numbers.get("tokensLive")
                        + numbers.get("tokensPending")
                        + numbers.get("tokensExpired")
                        + numbers.get("tokensDeleted")
                        + numbers.get("tokensLost"));
    }

    /** All documents of a version as text, with their multiplicity, sorted. */
    List<String> documents(SnapshotManifest manifest) throws Exception {
        List<String> documents = new ArrayList<>();
        String lane = LaneId.of(manifest.getLane()).toString();
        for (SegmentReference reference : manifest.getSegments()) {
            Path file = folder.resolve(reference.getPath());
            try (Segment segment = Segment.openVerified(file, Samples.MODELS.identity(lane))) {
                for (int document = 0; document < segment.documents(); document++) {
                    String text = Arrays.toString(segment.answer(document).tokens());
                    for (int copy = 0; copy < segment.multiplicity(document); copy++) {
                        documents.add(text);
                    }
                }
            }
        }
        documents.sort(null);
        return documents;
    }

    List<Path> storedFiles(String lane) throws Exception {
        try (var files = Files.list(folder.resolve(SegmentLayout.folder(lane)))) {
            return files.toList();
        }
    }

    void close() throws Exception {
        FaultyStore.failNext(0);
        harness.close();
    }
}
