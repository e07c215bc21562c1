package io.tailrace.operators.admission;

import java.io.IOException;
import java.io.Serializable;

/** Where partitions of topics begin now. */
@FunctionalInterface
public interface FirstOffsets extends Serializable {
    /** The first offset that retention has left of a partition; where nothing is left, its end. */
    long of(String topic, int partition) throws IOException;
}
