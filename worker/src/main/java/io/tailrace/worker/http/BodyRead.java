package io.tailrace.worker.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads one body as its bytes come, on whatever thread brings them, and holds none between them. Ends once: with the whole body, or
 * with the reason why there is none.
 */
final class BodyRead implements Runnable {
    private final Request request;
    private final long bytesMax;
    private final BodyReads reads;
    private final End end;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    /** Counted by the reads, under their lock. */
    long held;

    private Scheduler.Task limit;
    private boolean ended;
    private ApiException givenUp;

    /** What follows. */
    interface End {
        /**
         * The body is there.
         *
         * @param late the server's thread has gone on meanwhile: what takes long needs another one than the caller's
         */
        void whole(byte[] body, boolean late);

        void failed(ApiException why);
    }

    BodyRead(Request request, long bytesMax, BodyReads reads, End end) {
        this.request = request;
        this.bytesMax = bytesMax;
        this.reads = reads;
        this.end = end;
    }

    /** Begins, with what has come already. */
    void begin(long millisMax) {
        reads.began(this);
        Scheduler.Task task = request.getComponents()
                .getScheduler()
                .schedule(() -> giveUp(ApiException.tooSlow(millisMax)), millisMax, TimeUnit.MILLISECONDS);
        synchronized (this) {
            limit = task;
        }
        read(false);
    }

    /** There is more to read. */
    @Override
    public void run() {
        read(true);
    }

    /** Others need the room. */
    void giveUp() {
        giveUp(ApiException.crowded());
    }

    /** Whoever waits for bytes is called, and reads a failure. Under the lock, since the connection goes on to its next request after the end. */
    private synchronized void giveUp(ApiException why) {
        if (!ended && givenUp == null) {
            givenUp = why;
            request.fail(new TimeoutException(why.getMessage()));
        }
    }

    private void read(boolean late) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                fail(broken(chunk.getFailure()));
                return;
            }
            boolean fits = take(chunk.getByteBuffer());
            boolean last = chunk.isLast();
            chunk.release();
            if (!fits) {
                fail(ApiException.tooLarge(bytesMax));
                return;
            }
            if (last) {
                succeed(late);
                return;
            }
        }
    }

    private boolean take(ByteBuffer bytes) {
        int count = bytes.remaining();
        if (body.size() + (long) count > bytesMax) {
            return false;
        }
        byte[] copy = new byte[count];
        bytes.get(copy);
        body.write(copy, 0, count);
        reads.grew(this, count);
        return true;
    }

    private void succeed(boolean late) {
        ApiException why = end();
        if (why == null) {
            end.whole(body.toByteArray(), late);
        } else {
            end.failed(why);
        }
    }

    private void fail(ApiException why) {
        ApiException before = end();
        end.failed(before == null ? why : before);
    }

    /** Why it was given up, if it was. */
    private ApiException end() {
        reads.ended(this);
        synchronized (this) {
            ended = true;
            limit.cancel();
            return givenUp;
        }
    }

    private static ApiException broken(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return ApiException.silent();
        }
        int status = failure instanceof HttpException bad && bad.getCode() >= 400 && bad.getCode() < 500
                ? bad.getCode()
                : 400;
        return ApiException.brokenBody(status);
    }
}
