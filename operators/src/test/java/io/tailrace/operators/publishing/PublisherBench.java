package io.tailrace.operators.publishing;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.operators.indexing.ShardCounters;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.store.FaultyStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.SegmentStoreFactory;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.Segment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;

/** A lane publisher in Flink's harness, over a real store, merging in the test's thread; and shards that feed it. */
final class PublisherBench {
    /** Static, since the function is serialised on its way into the harness. */
    private static final AtomicLong CLOCK = new AtomicLong();

    private final Path folder;
    private final SegmentStoreFactory stores;
    private final PublishingOptions options;
    private final Map<Integer, ShardCounters> shards = new HashMap<>();
    private KeyedBroadcastOperatorTestHarness<String, LaneInput, ControlCommand, OutgoingRecord> harness;
    private long now;
    private int taken;

    /** What came out for topic snapshots. */
    record Published(String key, SnapshotManifest manifest) {}

    PublisherBench(Path folder, PublishingOptions options, long now) throws Exception {
        this.folder = folder;
        this.options = options;
        this.stores = FaultyStore.around(FlinkFileStore.factory(folder.toUri()));
        this.now = now;
        open(null, List.of());
    }

    private void open(OperatorSubtaskState state, List<ControlCommand> history) throws Exception {
        LanePublisher publisher = new LanePublisher(
                options,
                LearningOptions.defaults(),
                Samples.MODELS,
                stores,
                () -> history,
                folder.resolve("scratch").toString(),
                SameThread::new,
                CLOCK::get);
        harness = new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(publisher, List.of(ControlState.descriptor())),
                LaneInput::lane,
                Types.STRING,
                128,
                1,
                0);
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

    void restore(OperatorSubtaskState checkpoint, ControlCommand... history) throws Exception {
        harness.close();
        open(checkpoint, List.of(history));
    }

    void control(ControlCommand command) throws Exception {
        harness.processBroadcastElement(command, now);
    }

    void input(LaneInput input) throws Exception {
        harness.processElement(input, now);
    }

    /** A shard flushes generations: a level-0 segment in the store, and its report. */
    void flush(int shard, AdmittedGeneration... generations) throws Exception {
        input(LaneInput.of(progress(shard, generations)));
    }

    ShardProgress progress(int shard, AdmittedGeneration... generations) throws Exception {
        String lane = generations[0].lane();
        Path work = Files.createDirectories(folder.resolve("shard-work-" + System.nanoTime()));
        var result = Compaction.flush(
                Arrays.stream(generations).map(AdmittedGeneration::toInput).toList(),
                Samples.MODELS.identity(lane),
                work);
        StoredSegment stored = SegmentLayout.put(
                FlinkFileStore.factory(folder.toUri()).open(), lane, result.files(), result.summary());
        long tokens =
                Arrays.stream(generations).mapToLong(g -> g.tokens().length).sum();
        ShardCounters before = shards.getOrDefault(shard, ShardCounters.ZERO);
        ShardCounters counters = new ShardCounters(
                before.recordsAdmitted() + generations.length, 0, 0, before.tokensAdmitted() + tokens, 0);
        shards.put(shard, counters);
        long[] times = Arrays.stream(generations)
                .mapToLong(AdmittedGeneration::completedAt)
                .toArray();
        return new ShardProgress(
                lane, shard, counters, 0, new FlushedSegment(stored, times, Map.of(0, before.recordsAdmitted())));
    }

    void advance(long millis) throws Exception {
        for (long end = now + millis; now < end; ) {
            now = Math.min(end, now + 50);
            CLOCK.set(now);
            harness.setProcessingTime(now);
        }
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

    /** The events since the last call. */
    List<Event> events() throws Exception {
        List<Event> events = new ArrayList<>();
        var queue = harness.getSideOutput(LanePublisher.EVENTS);
        while (queue != null && !queue.isEmpty()) {
            events.add(RecordCodec.EVENT.decode(queue.remove().getValue().value()));
        }
        return events;
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

    /** All documents of a version as text, with their multiplicity, sorted. */
    List<String> documents(SnapshotManifest manifest) throws Exception {
        List<String> documents = new ArrayList<>();
        String lane = LaneId.of(manifest.getLane()).toString();
        for (SegmentReference reference : manifest.getSegments()) {
            Path file = folder.resolve(reference.getPath());
            try (Segment segment = Segment.openVerified(file, Samples.MODELS.identity(lane))) {
                for (int document = 0; document < segment.documents(); document++) {
                    String text = Arrays.toString(segment.documentTokens(document));
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

    /** Runs what it is given at once. */
    private static final class SameThread extends AbstractExecutorService {
        private boolean down;

        @Override
        public void execute(Runnable work) {
            work.run();
        }

        @Override
        public void shutdown() {
            down = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            down = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return down;
        }

        @Override
        public boolean isTerminated() {
            return down;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return down;
        }
    }
}
