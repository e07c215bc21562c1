package io.tailrace.worker.engine;

/** A request with where its answer goes, from its submission on. */
final class QueuedRequest implements DecodeRequest.Ticket {
    private final DecodeRequest request;
    private final Answer.Sink sink;
    private final int tokensMax;
    private final long queuedAtMillis = System.currentTimeMillis();
    private final long queuedNanos = System.nanoTime();
    private volatile boolean cancelled;

    /**
     * A request that keeps the limits.
     *
     * @param tokensMax what it asks for, or less where the context has no room
     */
    QueuedRequest(DecodeRequest request, Answer.Sink sink, int tokensMax) {
        this.request = request;
        this.sink = sink;
        this.tokensMax = tokensMax;
    }

    DecodeRequest request() {
        return request;
    }

    Answer.Sink sink() {
        return sink;
    }

    int tokensMax() {
        return tokensMax;
    }

    long queuedAtMillis() {
        return queuedAtMillis;
    }

    long queuedNanos() {
        return queuedNanos;
    }

    boolean cancelled() {
        return cancelled;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }
}
