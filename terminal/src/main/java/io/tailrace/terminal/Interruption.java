package io.tailrace.terminal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, in order: the first one tells the command to end, and the process stays until the command has closed what it
 * opened, or the time for that is over.
 */
public final class Interruption implements AutoCloseable {
    private static final Duration CLOSING_TIME_MAX = Duration.ofSeconds(60);

    private final CountDownLatch happened = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Runnable> listeners = new ArrayList<>();
    private final Thread hook = new Thread(this::interrupted, "interruption");
    private final Duration closingTimeMax;

    private Interruption(Duration closingTimeMax) {
        this.closingTimeMax = closingTimeMax;
    }

    /** To be closed last: what is opened after it is closed before the process ends. */
    public static Interruption install() {
        return install(CLOSING_TIME_MAX);
    }

    /** The same for a command that may take longer to close. */
    public static Interruption install(Duration closingTimeMax) {
        Interruption interruption = new Interruption(closingTimeMax);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Runs the listener on Ctrl-C; at once, if that has happened. */
    public void onInterrupt(Runnable listener) {
        synchronized (listeners) {
            listeners.add(listener);
        }
        if (happened()) {
            listener.run();
        }
    }

    public boolean happened() {
        return happened.getCount() == 0;
    }

    /** Waits for Ctrl-C. */
    public void await() throws InterruptedException {
        happened.await();
    }

    /** Waits for Ctrl-C for some time; true if it came. */
    public boolean await(long millis) throws InterruptedException {
        return happened.await(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed.countDown();
        if (!happened()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void interrupted() {
        happened.countDown();
        List<Runnable> told;
        synchronized (listeners) {
            told = List.copyOf(listeners);
        }
        told.forEach(Runnable::run);
        try {
            if (!closed.await(closingTimeMax.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("tailrace: not everything closed within " + closingTimeMax.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
