package io.tailrace.e2e.simulation;

/** The clocks of a life's machines: none is right, and in some lives they are far apart. What goes by brokers' time goes by the world's. */
final class Clocks {
    private static final long USUAL_MILLIS = 900;
    /** No clock is further from the brokers'. */
    static final long FAR_MILLIS = 90_000;

    private static final int FAR_ONCE_IN = 4;

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
        long aheadMillis = world.random.nextLong(-apartMillis, apartMillis + 1);
        world.tell("a machine's clock is %,d ms ahead", aheadMillis);
        return new Clock(aheadMillis);
    }
}
