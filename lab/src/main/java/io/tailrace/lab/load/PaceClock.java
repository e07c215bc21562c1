package io.tailrace.lab.load;

import java.util.concurrent.TimeUnit;

/** The time that a pace is kept by. */
interface PaceClock {
    PaceClock SYSTEM = new PaceClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    long nanos();

    void sleep(long nanos) throws InterruptedException;
}
