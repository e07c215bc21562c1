package io.tailrace.operators.admission;

import java.io.IOException;
import java.io.Serializable;

/** Where partitions of topic generations begin now. */
@FunctionalInterface
public interface FirstOffsets extends Serializable {
    /** The first offset that retention has left of a partition; where nothing is left, its end. */
    long of(int partition) throws IOException;
}
