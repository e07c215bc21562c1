package io.tailrace.operators.publishing;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.StoredSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.util.function.SerializableSupplier;

/** Lane publishers under a clock and side threads of the test's, and what their state holds. */
public final class SimulatedPublishers {
    /** Name of their state. */
    public static final String LANE = "lane";

    private SimulatedPublishers() {}

    public static LanePublisher publisher(
            PublishingOptions options,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            JobEpoch epochs,
            String scratch,
            SideThreads threads,
            SerializableSupplier<Long> clock) {
        return new LanePublisher(
                options,
                LaneLearning.Options.defaults(),
                models,
                stores,
                history,
                epochs,
                scratch,
                threads,
                clock,
                millis -> {});
    }

    /**
     * What a lane holds.
     *
     * @param numbers its books
     * @param waiting to be folded
     * @param segments of its layout, which the next version may name
     * @param versions segments of each retained version
     * @param commands ids of those that it has applied
     * @param rolledBackBy the last rollback that it has obeyed; null: none
     */
    public record Content(
            Map<String, Long> numbers,
            List<AdmittedGeneration> waiting,
            List<StoredSegment> segments,
            Map<Long, List<StoredSegment>> versions,
            List<String> commands,
            String rolledBackBy) {}

    /** Of one lane's state. */
    public static Content content(Object state, PublishingOptions options) {
        Lane lane = lane(state, options);
        List<StoredSegment> segments = new ArrayList<>();
        lane.layout().older().forEach(segment -> segments.add(segment.stored()));
        if (lane.layout().newest() != null) {
            segments.add(lane.layout().newest().stored());
        }
        Map<Long, List<StoredSegment>> versions = new TreeMap<>();
        lane.versions()
                .retained()
                .forEach(kept -> versions.put(kept.version(), kept.segments().toList()));
        LaneCommands.State commands = lane.commands().state();
        List<String> applied = Stream.of(commands.deletes(), commands.others())
                .flatMap(kept -> kept.last().stream())
                .map(AppliedCommands.Applied::commandId)
                .toList();
        return new Content(
                lane.numbers(), lane.layout().waiting(), segments, versions, applied, commands.rolledBackBy());
    }

    /** The lane with this state, had it freed each retained version of all deletes. */
    public static Object freedOfDeletes(Object state, PublishingOptions options) {
        Lane.State was = lane(state, options).state();
        Versions.State versions = was.versions();
        long all = was.deletes().seen();
        var freed = new Versions.State(
                versions.last(),
                versions.retained().stream().map(kept -> freed(kept, all)).toList(),
                versions.unknown(),
                versions.withdrawn(),
                versions.policy(),
                versions.policiesMade(),
                versions.policies(),
                versions.policyOfVersion(),
                versions.workers(),
                versions.brokersAt());
        Lane.State now = new Lane.State(
                was.lane(),
                was.layout(),
                freed,
                was.deletes(),
                was.cadence(),
                was.learning(),
                was.commands(),
                was.outcomes(),
                was.costs());
        LaneLearning.Options learning = LaneLearning.Options.defaults();
        return StateCell.of(new Lane(now, options, learning), Lane.form(options, learning));
    }

    private static RetainedVersion freed(RetainedVersion version, long applied) {
        List<LiveSegment> older =
                version.older().stream().map(segment -> freed(segment, applied)).toList();
        LiveSegment newest = version.newest() == null ? null : freed(version.newest(), applied);
        return new RetainedVersion(version.version(), version.epoch(), older, newest, applied, version.pinned());
    }

    private static LiveSegment freed(LiveSegment segment, long applied) {
        return new LiveSegment(segment.stored(), applied, segment.begunAt(), segment.mergedAt(), segment.agedAt());
    }

    /** Every path that one lane's state names. */
    public static Set<String> named(Object state, PublishingOptions options) {
        return lane(state, options).referencedPaths();
    }

    @SuppressWarnings("unchecked")
    private static Lane lane(Object state, PublishingOptions options) {
        return ((StateCell<Lane>) state).get(Lane.form(options, LaneLearning.Options.defaults()));
    }
}
