package io.tailrace.worker.engine;

import io.tailrace.client.draft.DraftTerms;
import io.tailrace.worker.engine.RefusedRequestException.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes requests as they come, several in each step, on a thread of its own. A request joins when a place of the batch and
 * room in the cache for all it can become are free, so none is ever thrown out for lack of memory; the oldest joins first.
 *
 * <p>{@link #submit} and {@link #stop} may be called by any thread.
 */
public final class DecodeEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DecodeEngine.class);

    private final EngineParts parts;
    private final EngineOptions options;
    private final StepBatch batch;
    private final Thread thread;
    private final int[] endTokens;
    private final int sequenceTokensMax;
    private final int cacheTokensMax;
    private final List<RunningRequest> running = new ArrayList<>();
    /** Out of the queue and not in the batch yet. */
    private final Deque<QueuedRequest> joining = new ArrayDeque<>();

    private final CountDownLatch ended = new CountDownLatch(1);
    /** Guards what follows. */
    private final Object lock = new Object();

    private final Deque<QueuedRequest> queue = new ArrayDeque<>();
    private boolean stopping;
    private boolean abandoned;
    private int runningCount;
    private int reservedTokens;
    private volatile Throwable failure;

    private DecodeEngine(String name, EngineParts parts, EngineOptions options) {
        this.parts = parts;
        this.options = options;
        this.batch = new StepBatch(parts, options);
        this.endTokens = Arrays.stream(parts.endTokens()).sorted().toArray();
        this.sequenceTokensMax = parts.model().sequenceTokensMax();
        this.cacheTokensMax = parts.model().cacheTokensMax();
        this.thread = new Thread(this::run, name + "-decode");
        this.thread.setDaemon(true);
    }

    /** An engine that runs. The model belongs to its thread until {@link #close} has returned. */
    public static DecodeEngine start(String name, EngineParts parts, EngineOptions options) {
        DecodeEngine engine = new DecodeEngine(name, parts, options);
        engine.thread.start();
        return engine;
    }

    /**
     * Puts a request into the queue.
     *
     * @param sink told of its tokens by the decode thread
     * @throws RefusedRequestException if it breaks a limit, the queue is full, or the engine stops
     */
    public DecodeRequest.Ticket submit(DecodeRequest request, Answer.Sink sink) {
        QueuedRequest queued = new QueuedRequest(request, sink, outputTokens(request));
        synchronized (lock) {
            if (stopping) {
                throw new RefusedRequestException(Reason.STOPPING, "this worker is stopping; ask another one");
            }
            if (queue.size() >= options.queuedMax() + freePlaces()) {
                throw new RefusedRequestException(
                        Reason.QUEUE_FULL,
                        "%d requests are being answered and %d are waiting, which is the limit; try again later"
                                .formatted(runningCount, queue.size()));
            }
            queue.addLast(queued);
            lock.notifyAll();
        }
        return queued;
    }

    /** Takes no further requests; those taken are answered. */
    public void stop() {
        synchronized (lock) {
            stopping = true;
            lock.notifyAll();
        }
    }

    /** True once it was stopped and every request has ended. */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops, and cancels what is not answered yet. */
    @Override
    public void close() {
        synchronized (lock) {
            stopping = true;
            abandoned = true;
            lock.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Requests that wait. */
    public int queued() {
        synchronized (lock) {
            return queue.size();
        }
    }

    /** Requests in the batch. */
    public int running() {
        synchronized (lock) {
            return runningCount;
        }
    }

    /** What ended the decode thread before its time, or null. */
    public Throwable failure() {
        return failure;
    }

    /** As many tokens as the request may be answered with. */
    private int outputTokens(DecodeRequest request) {
        int room = sequenceTokensMax - request.prompt().length;
        int promptMax = options.promptTokensMax() == 0 ? Integer.MAX_VALUE : options.promptTokensMax();
        if (room < 1 || request.prompt().length > promptMax) {
            throw new RefusedRequestException(
                    Reason.TOO_LONG,
                    "the prompt has %d tokens, the limit is %d"
                            .formatted(request.prompt().length, Math.min(promptMax, sequenceTokensMax - 1)));
        }
        return Math.min(asked(request), room);
    }

    /** Who asks for no length shall not reserve the whole cache, or such requests would be answered one at a time. */
    private int asked(DecodeRequest request) {
        boolean unasked = request.tokensMax() == DecodeRequest.TOKENS_UNASKED;
        if (options.outputTokensMax() > 0) {
            return unasked ? options.outputTokensMax() : Math.min(request.tokensMax(), options.outputTokensMax());
        }
        return unasked ? Math.max(1, cacheTokensMax / options.batchMax()) : request.tokensMax();
    }

    private void run() {
        try {
            while (join()) {
                batch.step(running);
                leave();
            }
            LOG.info("the decode loop has ended");
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.error("the decode loop broke; the worker must be restarted", e);
        } finally {
            try {
                endAll();
            } finally {
                closeDrafts();
            }
        }
    }

    private void closeDrafts() {
        try {
            parts.drafts().source().close();
        } finally {
            ended.countDown();
        }
    }

    /** Waits for requests and lets them join; false: there is nothing left to do. */
    private boolean join() {
        while (true) {
            List<QueuedRequest> gone = new ArrayList<>();
            synchronized (lock) {
                awaitWork();
                if (abandoned || (running.isEmpty() && queue.isEmpty())) {
                    return false;
                }
                choose(gone);
            }
            gone.forEach(queued -> finish(queued, Answer.cancelledInQueue(queued)));
            while (!joining.isEmpty()) {
                running.add(begin(joining.peekFirst()));
                joining.removeFirst();
            }
            if (!running.isEmpty()) {
                return true;
            }
        }
    }

    private void awaitWork() {
        try {
            while (running.isEmpty() && queue.isEmpty() && !stopping) {
                lock.wait();
            }
        } catch (InterruptedException e) {
            stopping = true;
            abandoned = true;
        }
    }

    private void choose(List<QueuedRequest> gone) {
        for (Iterator<QueuedRequest> each = queue.iterator(); each.hasNext(); ) {
            QueuedRequest queued = each.next();
            if (queued.cancelled()) {
                each.remove();
                gone.add(queued);
            }
        }
        while (!queue.isEmpty() && freePlaces() > 0 && hasRoom(queue.peekFirst())) {
            QueuedRequest queued = queue.removeFirst();
            runningCount++;
            reservedTokens += reservation(queued);
            joining.addLast(queued);
        }
    }

    private int freePlaces() {
        return options.batchMax() - runningCount;
    }

    private boolean hasRoom(QueuedRequest queued) {
        return runningCount == 0 || reservedTokens + reservation(queued) <= cacheTokensMax;
    }

    /** Most tokens that a pass ever holds of it: its context and a draft. {@link RunningRequest#planDraft} keeps to that. */
    private int reservation(QueuedRequest queued) {
        int most = queued.request().prompt().length + queued.tokensMax() + options.budgetMax();
        return Math.min(sequenceTokensMax, most);
    }

    private RunningRequest begin(QueuedRequest queued) {
        DecodeRequest request = queued.request();
        DraftTerms terms = parts.terms().apply(request.scope());
        AnswerText text = request.stops().isEmpty()
                ? null
                : new AnswerText(parts.tokenizer().stream(request.prompt()), request.stops());
        return new RunningRequest(
                queued,
                parts.model().open(),
                parts.drafts().source().begin(request.scope(), request.prompt()),
                terms,
                parts.budget().begin(terms.costCurve()),
                new AnswerEnd(this::isEndToken, text, queued.tokensMax()));
    }

    private boolean isEndToken(int token) {
        return Arrays.binarySearch(endTokens, token) >= 0;
    }

    /** Lets finished and cancelled requests go. */
    private void leave() {
        for (Iterator<RunningRequest> each = running.iterator(); each.hasNext(); ) {
            RunningRequest request = each.next();
            Answer.FinishReason reason =
                    request.reason() == null && request.queued().cancelled()
                            ? Answer.FinishReason.CANCELLED
                            : request.reason();
            if (reason != null) {
                each.remove();
                end(request, reason);
            }
        }
    }

    private void end(RunningRequest request, Answer.FinishReason reason) {
        request.close();
        synchronized (lock) {
            runningCount--;
            reservedTokens -= reservation(request.queued());
        }
        finish(request.queued(), request.answer(reason));
    }

    private void finish(QueuedRequest queued, Answer answer) {
        parts.listener().finished(answer);
        queued.sink().finished(answer);
    }

    private void endAll() {
        List<QueuedRequest> waiting;
        synchronized (lock) {
            stopping = true;
            waiting = new ArrayList<>(joining);
            waiting.addAll(queue);
            queue.clear();
        }
        for (RunningRequest request : List.copyOf(running)) {
            if (failure == null) {
                end(request, Answer.FinishReason.CANCELLED);
            } else {
                request.queued().sink().failed(failure);
            }
        }
        running.clear();
        for (QueuedRequest queued : waiting) {
            if (failure == null) {
                finish(queued, Answer.cancelledInQueue(queued));
            } else {
                queued.sink().failed(failure);
            }
        }
    }
}
