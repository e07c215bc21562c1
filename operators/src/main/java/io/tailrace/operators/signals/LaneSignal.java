package io.tailrace.operators.signals;

import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.util.Collector;

/**
 * What the job announced of a lane and its own parts act on.
 *
 * @param lane as text
 * @param number the snapshot's version or the trial's number; 0 else
 * @param at when, epoch milliseconds; of a SNAPSHOT when the brokers took it
 * @param epoch of the claim of the job that told it; 0: none
 * @param record SNAPSHOT: the manifest's bytes, unless only that the lane was announced is told; CANDIDATE: the event's; null else
 */
public record LaneSignal(Kind kind, String lane, long number, long at, long epoch, byte[] record) {
    /** An alarm that nobody ended is over after this. */
    public static final long ALARM_MILLIS_MAX = 600_000;

    private static final StateCodec<LaneSignal> CODEC = new StateCodec<>(LaneSignal.class, "Signal");

    /** What it is about; the newest of each kind and lane counts. */
    public enum Kind {
        /** A version was announced. */
        SNAPSHOT,
        /** A drift alarm is on. */
        ALARM,
        /** A policy or a retention is to be judged. */
        CANDIDATE
    }

    /** The broadcast state: the newest signal of each kind and lane. */
    public static MapStateDescriptor<String, StateCell<LaneSignal>> descriptor() {
        return new MapStateDescriptor<>("lane-signals", StringSerializer.INSTANCE, StateCell.serializer());
    }

    /** The newest of its kind that a lane has in the broadcast state; null: none. */
    public static LaneSignal find(Kind kind, String lane, ReadOnlyBroadcastState<String, StateCell<LaneSignal>> state)
            throws Exception {
        StateCell<LaneSignal> kept = state.get(key(kind, lane));
        return kept == null ? null : kept.get(CODEC);
    }

    /** True if a job that took the installation over has announced the lane, or told the same kind of it: what the job before it tells is void. */
    public boolean isSuperseded(ReadOnlyBroadcastState<String, StateCell<LaneSignal>> state) throws Exception {
        LaneSignal announced = find(Kind.SNAPSHOT, lane, state);
        LaneSignal same = find(kind, lane, state);
        return (announced != null && announced.epoch > epoch) || (same != null && same.epoch > epoch);
    }

    /** Keeps it in the broadcast state, as the newest of its kind and lane. */
    public void keep(BroadcastState<String, StateCell<LaneSignal>> state) throws Exception {
        state.put(key(), StateCell.of(this, CODEC));
    }

    /** The same without what was announced: only that it was. */
    LaneSignal withoutRecord() {
        return new LaneSignal(kind, lane, number, at, epoch, null);
    }

    /** Its key in the broadcast state. */
    public String key() {
        return key(kind, lane);
    }

    public static String key(Kind kind, String lane) {
        return kind + "#" + lane;
    }

    /** True if it says that something is over. */
    public boolean isEnd() {
        return at == 0;
    }

    /** Of announced snapshots, each lane's first since this task started, without its manifest: that there is such a lane. */
    public static final class AnnouncedLanes extends RichFlatMapFunction<LaneSignal, LaneSignal> {
        private static final long serialVersionUID = 1L;

        private transient Set<String> told;

        @Override
        public void open(OpenContext context) {
            told = new HashSet<>();
        }

        @Override
        public void flatMap(LaneSignal announced, Collector<LaneSignal> out) {
            if (told.add(announced.lane())) {
                out.collect(announced.withoutRecord());
            }
        }
    }
}
