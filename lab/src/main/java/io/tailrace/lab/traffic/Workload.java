package io.tailrace.lab.traffic;

import java.util.List;
import java.util.SplittableRandom;

/** One kind of agent of one tenant. */
interface Workload {
    /** Name in tables and in request ids. */
    String name();

    /** The turns of the next session, at least one. */
    List<Turn> session(SplittableRandom random);
}
