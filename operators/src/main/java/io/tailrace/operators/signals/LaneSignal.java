package io.tailrace.operators.signals;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * What the job announced of a lane and its own parts act on.
 *
 * @param lane as text
 * @param number the snapshot's version or the trial's number; 0 else
 * @param at when, epoch milliseconds
 * @param record SNAPSHOT: the manifest's bytes, unless only that the lane was announced is told; CANDIDATE: the event's; null else
 */
public record LaneSignal(Kind kind, String lane, long number, long at, byte[] record) {
    /** An alarm that nobody ended is over after this. */
    public static final long ALARM_MILLIS_MAX = 600_000;

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
    public static MapStateDescriptor<String, LaneSignal> descriptor() {
        return new MapStateDescriptor<>("lane-signals", Types.STRING, TypeInformation.of(LaneSignal.class));
    }

    /** The same without what was announced: only that it was. */
    LaneSignal withoutRecord() {
        return new LaneSignal(kind, lane, number, at, null);
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
}
