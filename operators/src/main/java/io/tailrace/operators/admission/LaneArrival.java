package io.tailrace.operators.admission;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * An admitted generation of a lane that no snapshot is known of yet: the {@link LaneRegister} says whether there is a place for it.
 *
 * @param sketch its token buckets, see {@link io.tailrace.suffix.learn.TokenReference#sketch}: drift is watched from a lane's first
 *     generation on
 */
public record LaneArrival(AdmittedGeneration generation, short[] sketch) {
    /** The side output of admission that they come from. */
    public static final OutputTag<LaneArrival> OUTPUT =
            new OutputTag<>("lane-arrivals", TypeInformation.of(LaneArrival.class));
}
