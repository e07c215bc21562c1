package io.tailrace.worker.serve;

import io.tailrace.client.follow.LaneState;
import io.tailrace.worker.engine.Answer;
import java.util.List;

/** Hears what a worker does, for people who look on. Called by several threads: must be quick, and never costs a request time. */
public interface ServingWatch {
    /** Nobody looks on. */
    ServingWatch NONE = new ServingWatch() {};

    /** A request was answered, and its lane drafts from the answer. */
    default void answered(Answer answer) {}

    /** How each lane is followed; about once a second. */
    default void followed(List<LaneState> lanes) {}
}
