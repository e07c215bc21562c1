package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;

import io.tailrace.operators.SameThread;
import io.tailrace.operators.Samples;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.suffix.segment.Compaction;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;

/**
 * An evaluator in Flink's harness, over a real store and real segments; its loads and, unless the test says otherwise, its evaluations run in the
 * test's thread.
 *
 * <pre>{@code
 * EvaluatorBench bench = new EvaluatorBench(folder);
 * bench.sample(0, 5, answer);
 * bench.announce(10, 5, LanePolicy.defaults(), answer);
 * bench.sample(0, 6, answer);
 * LearningReport report = bench.lastReport();
 * bench.close();
 * }</pre>
 *
 * <p>The first sample makes the evaluator follow the lane: it is skipped, for there is nothing yet to evaluate it against.
 */
final class EvaluatorBench {
    static final long START = 1_700_000_000_000L;
    private static final int KEY_GROUPS = 128;
    /** Nothing is left out, and two choices are counted beside. */
    private static final Evaluator.Options OPTIONS =
            new Evaluator.Options(1, 3, List.of(EvaluationChoice.OWN_CONTEXT, EvaluationChoice.BUDGET_8));

    private final Path folder;
    private final Evaluator.Options options;
    private final Place place;
    private final KeyedBroadcastOperatorTestHarness<String, EvaluationSample, LaneSignal, LearningReport> harness;
    private long now = START;
    private boolean closed;

    /** Which task of how many. */
    private record Place(int subtask, int subtasks) {}

    EvaluatorBench(Path folder) throws Exception {
        this(folder, OPTIONS, SameThread::new);
    }

    /** An evaluator that has learned nothing, the only task of its job. */
    EvaluatorBench(Path folder, Evaluator.Options options, SideThreads evaluations) throws Exception {
        this(folder, options, evaluations, new Place(0, 1), null);
    }

    private EvaluatorBench(
            Path folder, Evaluator.Options options, SideThreads evaluations, Place place, OperatorSubtaskState state)
            throws Exception {
        this.folder = folder;
        this.options = options;
        this.place = place;
        Evaluator evaluator = new Evaluator(
                options,
                Samples.MODELS,
                FlinkFileStore.factory(folder.toUri()),
                folder.resolve("scratch").toString(),
                SameThread::new,
                evaluations);
        harness = new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(evaluator, List.of(LaneSignal.descriptor())),
                EvaluationSample::replicaKey,
                Types.STRING,
                KEY_GROUPS,
                place.subtasks(),
                place.subtask());
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(now);
    }

    /** What outlives this task. */
    OperatorSubtaskState checkpoint() throws Exception {
        return harness.snapshot(1, 1);
    }

    /** One of the tasks that go on from a checkpoint of this one, at this one's time. */
    EvaluatorBench rescaled(OperatorSubtaskState checkpoint, int subtask, int subtasks) throws Exception {
        OperatorSubtaskState part = AbstractStreamOperatorTestHarness.repartitionOperatorState(
                checkpoint, KEY_GROUPS, place.subtasks(), subtasks, subtask);
        EvaluatorBench rescaled =
                new EvaluatorBench(folder, options, SameThread::new, new Place(subtask, subtasks), part);
        rescaled.advance(now - START);
        return rescaled;
    }

    /** Whether the replica is this task's. */
    boolean isOf(int replica) {
        String key = sampled(replica, 0).replicaKey();
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(key, KEY_GROUPS, place.subtasks())
                == place.subtask();
    }

    /** A generation is sampled for a replica. */
    void sample(int replica, long offset, int... response) throws Exception {
        harness.processElement(sampled(replica, offset, response), 0);
    }

    private static EvaluationSample sampled(int replica, long offset, int... response) {
        return new EvaluationSample(LANE, replica, START + offset, new int[] {1, 2}, response, 0, offset);
    }

    /** A segment in the store. */
    StoredSegment stored(long name, int[]... answers) throws Exception {
        AdmittedGeneration[] generations = new AdmittedGeneration[answers.length];
        for (int i = 0; i < answers.length; i++) {
            generations[i] = generation("r" + name + "-" + i, START, answers[i]);
        }
        Path work = Files.createDirectories(folder.resolve("work-" + name));
        var result = Compaction.flush(
                Arrays.stream(generations).map(AdmittedGeneration::toInput).toList(),
                Samples.MODELS.identity(LANE),
                work);
        return SegmentLayout.put(FlinkFileStore.factory(folder.toUri()).open(), LANE, result.files(), result.summary());
    }

    /** A version of one segment with these answers comes back through topic snapshots; it holds what lies up to the offset. */
    void announce(long version, long offset, LanePolicy policy, int[]... answers) throws Exception {
        announce(version, offset, policy, List.of(stored(version, answers).reference(SegmentRole.NEWEST)));
    }

    void announce(long version, long offset, LanePolicy policy, List<SegmentReference> segments) throws Exception {
        hear(snapshot(version, offset, policy, segments, 0));
    }

    /** The same of a job of that epoch. */
    void announceInEpoch(long epoch, long version, long offset, int[]... answers) throws Exception {
        var segments = List.of(stored(1_000 * epoch + version, answers).reference(SegmentRole.NEWEST));
        hear(snapshot(version, offset, LanePolicy.defaults(), segments, epoch));
    }

    private static LaneSignal snapshot(
            long version, long offset, LanePolicy policy, List<SegmentReference> segments, long epoch) {
        SnapshotManifest manifest = new SnapshotManifest(
                LaneId.parse(LANE).toLane(),
                version,
                0L,
                Instant.ofEpochMilli(START),
                AnnouncementCause.CADENCE,
                1000,
                "toy-tokenizer",
                segments,
                policy.toRecord(List.of()),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(new SourceOffset(0, offset)),
                null,
                null,
                null,
                epoch);
        return new LaneSignal(
                LaneSignal.Kind.SNAPSHOT, LANE, version, START, epoch, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    void hear(LaneSignal signal) throws Exception {
        harness.processBroadcastElement(signal, 0);
    }

    /** Time passes, and the evaluator's timers with it. */
    void advance(long millis) throws Exception {
        now += millis;
        harness.setProcessingTime(now);
    }

    /** All reports since the beginning, after time for one more. */
    List<LearningReport> reports() throws Exception {
        advance(2_000);
        return harness.extractOutputValues();
    }

    LearningReport lastReport() throws Exception {
        List<LearningReport> reports = reports();
        return reports.get(reports.size() - 1);
    }

    /** Segments on this task's disk. */
    long localCopies() throws Exception {
        try (var files = Files.walk(folder.resolve("scratch"))) {
            return files.filter(file -> file.toString().endsWith(".segment")).count();
        }
    }

    /** Nobody has used them for longer than another process may need to hear of them. */
    void ageLocalCopies() throws Exception {
        try (var files = Files.walk(folder.resolve("scratch"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(90)));
            }
        }
    }

    /** As what fills or breaks a disk does. */
    void cutLocalCopies() throws Exception {
        try (var files = Files.walk(folder.resolve("scratch"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }
        }
    }

    /** An answer to learn from; no other is like it. */
    static int[] answer(Random random, int length) {
        return random.ints(length, 3, 900).toArray();
    }

    /** May be called again. */
    void close() throws Exception {
        if (!closed) {
            closed = true;
            harness.close();
        }
    }
}
