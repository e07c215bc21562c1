package io.tailrace.operators.signals;

import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

/** Of announced snapshots, each lane's first since this task started, without its manifest: that there is such a lane. */
public final class AnnouncedLanes extends RichFlatMapFunction<LaneSignal, LaneSignal> {
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
