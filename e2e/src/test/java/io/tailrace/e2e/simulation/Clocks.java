package io.tailrace.e2e.simulation;

import java.time.Duration;

/**
 * The clocks of a life's machines: none is right, in some lives they are far apart, a job's may be a day behind, and an operator's a day ahead. What goes by brokers' time goes by the world's.
 */
final class Clocks {
    private static final long USUAL_MILLIS = 900;
    /** No clock but an operator's is further ahead of the brokers', and none but a job's further behind. */
    static final long FAR_MILLIS = 90_000;

    private static final int FAR_ONCE_IN = 4;
    private static final int DAY_OFF_ONCE_IN = 8;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private final World world;
    private final long apartMillis;

    /** One machine's. */
    final class Clock {
        private final long aheadMillis;

        private Clock(long aheadMillis) {
            this.aheadMillis = aheadMillis;
        }

        long now() {
            return world.now() + aheadMillis;
        }
    }

    Clocks(World world) {
        this.world = world;
        this.apartMillis = world.oneIn(FAR_ONCE_IN) ? FAR_MILLIS : USUAL_MILLIS;
    }

    /** Of a machine that joins. */
    Clock clock() {
        return clock(world.random.nextLong(-apartMillis, apartMillis + 1));
    }

    /** Of a job's machine. */
    Clock ofJob() {
        return world.oneIn(DAY_OFF_ONCE_IN) ? clock(-DAY_MILLIS) : clock();
    }

    /** Of who commands. */
    Clock ofOperators() {
        return clock(world.oneIn(DAY_OFF_ONCE_IN) ? DAY_MILLIS : 0);
    }

    private Clock clock(long aheadMillis) {
        world.tell("a machine's clock is %,d ms ahead", aheadMillis);
        return new Clock(aheadMillis);
    }
}
