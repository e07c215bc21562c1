package io.tailrace.operators.admission;

import io.tailrace.operators.MetricNames;
import io.tailrace.operators.RejectionCounters;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps the number of lanes within its limit, exactly: one key holds the names of all lanes in checkpointed state, so that neither
 * parallelism nor a restore changes what is counted. Whoever may write generations can invent scopes, and each lane costs memory, files and
 * metrics for good.
 *
 * <p>Generations pass through here only until {@link Admission} has heard of their lane's first snapshot, a second or two;
 * then they go to their shards at once. Those of lanes for which there is no place pass through here always, and end here.
 */
public final class LaneRegister
        extends KeyedCoProcessFunction<String, OfferedGeneration, LaneSignal, OfferedGeneration> {
    private static final long serialVersionUID = 1L;
    /** The one key of this operator. */
    public static final String KEY = "lanes";

    private final int lanesMax;
    private final BoundTopics topics;
    private transient MapState<String, Long> placeState;
    private transient Places places;
    private transient Counter admitted;
    private transient RejectionCounters rejected;

    /** @param topics where generations come from */
    public LaneRegister(int lanesMax, BoundTopics topics) {
        this.lanesMax = lanesMax;
        this.topics = topics;
    }

    @Override
    public void open(OpenContext context) {
        placeState = getRuntimeContext().getMapState(new MapStateDescriptor<>("lane-places", Types.STRING, Types.LONG));
        admitted = getRuntimeContext().getMetricGroup().counter(MetricNames.ADMITTED);
        rejected = new RejectionCounters(getRuntimeContext().getMetricGroup(), Set.of(RejectionReason.LANES_EXCEEDED));
    }

    @Override
    public void processElement1(OfferedGeneration offered, Context context, Collector<OfferedGeneration> out)
            throws Exception {
        AdmittedGeneration generation = offered.generation();
        String lane = generation.lane();
        long now = context.timerService().currentProcessingTime();
        if (places().holds(lane) || places().isFree(lane)) {
            give(lane, now);
            admitted.inc();
            out.collect(offered);
        } else {
            rejected.count(RejectionReason.LANES_EXCEEDED);
            context.output(RejectedRecord.OUTPUT, RejectedRecord.of(refuse(generation, now)));
        }
    }

    /** A lane that was announced is there, whatever this state knows of. */
    @Override
    public void processElement2(LaneSignal announced, Context context, Collector<OfferedGeneration> out)
            throws Exception {
        give(announced.lane(), context.timerService().currentProcessingTime());
    }

    private void give(String lane, long now) throws Exception {
        if (!places().holds(lane)) {
            places().give(lane);
            placeState.put(lane, now);
        }
    }

    /** Taken up from state when it is first asked for: only then is there a key. */
    private Places places() throws Exception {
        if (places == null) {
            places = new Places(lanesMax, topics, placeState.keys());
            Places shown = places;
            Gauge<Integer> lanes = shown::size;
            getRuntimeContext().getMetricGroup().gauge(MetricNames.LANES, lanes);
        }
        return places;
    }

    private Rejection refuse(AdmittedGeneration generation, long now) {
        int kept = places.keptFrom(generation.lane());
        return new Rejection(
                RejectionReason.LANES_EXCEEDED,
                "the job has its %d lanes%s, this would be one more; write into a scope that there is, or raise --lanes-max"
                        .formatted(
                                places.size(),
                                kept == 0 ? "" : " and keeps %d places for other scopes' topics".formatted(kept)),
                topics.topic(generation.partition()),
                BoundTopics.partition(generation.partition()),
                generation.offset(),
                null,
                LaneId.parse(generation.lane()).toLane(),
                null,
                Instant.ofEpochMilli(now));
    }

    /**
     * The places that the job has for lanes. A lane that has one keeps it for good, as its state is kept. One that was announced has one
     * whether any was free or not: a limit that was set lower, or a savepoint from before there was one, stops no lane.
     *
     * <p>Of each topic that is bound to scopes the lanes are sure of a share of the places, all shares together less than half. So scopes
     * that are invented on the topic that is everybody's, or on another bound one, cannot take them. Who a lane belongs to follows from its
     * scope, so it is the same after a restore.
     */
    static final class Places {
        private final int lanesMax;
        private final BoundTopics topics;
        private final int share;
        private final int[] ofBound;
        private final Set<String> lanes = new HashSet<>();

        Places(int lanesMax, BoundTopics topics, Iterable<String> held) {
            this.lanesMax = lanesMax;
            this.topics = topics;
            this.share = lanesMax / (2 * (topics.bound().size() + 1));
            this.ofBound = new int[topics.bound().size()];
            held.forEach(this::give);
        }

        boolean holds(String lane) {
            return lanes.contains(lane);
        }

        /** True if that lane may come, which is none that is there. */
        boolean isFree(String lane) {
            return lanes.size() + keptFrom(lane) < lanesMax;
        }

        /** Places that no lane has, and that are kept from this one for the lanes of bound topics. */
        int keptFrom(String lane) {
            int mine = boundTo(lane);
            int kept = 0;
            for (int i = 0; i < ofBound.length; i++) {
                kept += i == mine ? 0 : Math.max(0, share - ofBound[i]);
            }
            return kept;
        }

        void give(String lane) {
            int mine = boundTo(lane);
            if (lanes.add(lane) && mine >= 0) {
                ofBound[mine]++;
            }
        }

        private int boundTo(String lane) {
            return topics.boundTo(LaneId.parse(lane).scope());
        }

        int size() {
            return lanes.size();
        }
    }
}
