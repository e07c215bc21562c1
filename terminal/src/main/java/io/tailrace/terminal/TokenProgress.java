package io.tailrace.terminal;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How far a long computation is, with the time left: a bar on a terminal, else a line now and then. It asks by itself, from a
 * thread of its own, until the work is done.
 */
public final class TokenProgress {
    /** Set by the launcher when standard error is a terminal. */
    private static final String TERMINAL_PROPERTY = "tailrace.terminal";

    private static final long ASK_EVERY_MILLIS = 500;
    private static final long LINE_EVERY_NANOS = 10_000_000_000L;

    private final String task;
    private final long total;
    private final LongSupplier done;
    private final PrintWriter err;
    private final ProgressBar bar;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private final ScheduledFuture<?> asking;
    private final long begunAt = System.nanoTime();
    private long linePrintedAt = begunAt;

    /** Something that takes long. */
    public interface Work<T> {
        T done() throws InterruptedException;
    }

    /**
     * Shows how far the work is while it is done.
     *
     * @param task a word for it
     * @param total tokens to be worked through
     * @param done how many are done by now; asked from another thread
     */
    public static <T> T during(String task, long total, LongSupplier done, PrintWriter err, Work<T> work)
            throws InterruptedException {
        TokenProgress progress = new TokenProgress(task, total, done, err);
        try {
            return work.done();
        } finally {
            progress.close();
        }
    }

    private TokenProgress(String task, long total, LongSupplier done, PrintWriter err) {
        this.task = task;
        this.total = total;
        this.done = done;
        this.err = err;
        this.bar = Boolean.getBoolean(TERMINAL_PROPERTY) ? newBar() : null;
        this.asking = clock.scheduleAtFixedRate(this::show, ASK_EVERY_MILLIS, ASK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void show() {
        long now = System.nanoTime();
        if (bar != null) {
            bar.stepTo(done.getAsLong());
        } else if (now - linePrintedAt >= LINE_EVERY_NANOS) {
            linePrintedAt = now;
            err.println(line(task, done.getAsLong(), total, now - begunAt));
            err.flush();
        }
    }

    static String line(String task, long done, long total, long nanos) {
        double share = total == 0 ? 1 : (double) done / total;
        String left = share <= 0 ? "" : ", about %d s left".formatted(Math.round(nanos / 1e9 * (1 - share) / share));
        return String.format(Locale.ROOT, "%s: %.0f %% of %,d tokens%s", task, 100 * share, total, left);
    }

    private void close() {
        asking.cancel(false);
        clock.shutdownNow();
        if (bar != null) {
            bar.close();
        }
    }

    private ProgressBar newBar() {
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit("k tokens", 1000)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int) ASK_EVERY_MILLIS)
                .clearDisplayOnFinish()
                .build();
    }
}
