package io.tailrace.operators.publishing;

import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.SideThreads;
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
                options, LaneLearning.Options.defaults(), models, stores, history, epochs, scratch, threads, clock);
    }

    /**
     * What a lane holds.
     *
     * @param numbers its books
     * @param segments of its layout, those that wait to be folded with them
     * @param versions segments of each retained version
     */
    public record Content(
            Map<String, Long> numbers, List<StoredSegment> segments, Map<Long, List<StoredSegment>> versions) {}

    /** Of one lane's state. */
    public static Content content(Object state, PublishingOptions options) {
        Lane lane = lane(state, options);
        List<StoredSegment> segments = new ArrayList<>();
        lane.layout().flushes().forEach(flush -> segments.add(flush.segment()));
        lane.layout().older().forEach(segment -> segments.add(segment.stored()));
        if (lane.layout().newest() != null) {
            segments.add(lane.layout().newest().stored());
        }
        Map<Long, List<StoredSegment>> versions = new TreeMap<>();
        lane.versions()
                .retained()
                .forEach(kept -> versions.put(kept.version(), kept.segments().toList()));
        return new Content(lane.numbers(), segments, versions);
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
