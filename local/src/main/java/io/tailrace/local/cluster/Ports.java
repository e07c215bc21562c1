package io.tailrace.local.cluster;

import io.tailrace.local.LoopbackPorts;
import java.util.Random;

/**
 * Ports that stay ours while nobody listens on them. Those that the system deals out itself would not: a client that asks for a dead one on
 * loopback again and again is in the end connected to itself.
 */
public final class Ports {
    private static final int FROM = 20_000;
    private static final int COUNT = 10_000;

    private Ports() {}

    /** Different free ports. */
    public static int[] free(int count) {
        return new Random()
                .ints(FROM, FROM + COUNT)
                .distinct()
                .filter(LoopbackPorts::isFree)
                .limit(count)
                .toArray();
    }
}
