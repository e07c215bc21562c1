package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps an answer for a test, and checks that its tokens came as they were to come. */
final class HeldAnswer implements Answer.Sink {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger tokenCount = new AtomicInteger();
    private final Runnable onTokens;
    private int[] tokens = new int[64];
    private volatile Answer answer;
    private volatile Throwable failure;

    HeldAnswer() {
        this(() -> {});
    }

    HeldAnswer(Runnable onTokens) {
        this.onTokens = onTokens;
    }

    @Override
    public void tokens(int[] added, int count, String text, List<TokenLogprob> logprobs) {
        int length = tokenCount.get();
        if (length + count > tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * (length + count));
        }
        System.arraycopy(added, 0, tokens, length, count);
        tokenCount.addAndGet(count);
        onTokens.run();
    }

    @Override
    public void finished(Answer all) {
        answer = all;
        ended.countDown();
    }

    @Override
    public void failed(Throwable cause) {
        failure = cause;
        ended.countDown();
    }

    /** For a callback: the decode thread stays until the latch is open. */
    static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    int received() {
        return tokenCount.get();
    }

    Answer await() throws InterruptedException {
        assertThat(ended.await(60, TimeUnit.SECONDS)).as("the answer ends").isTrue();
        if (failure == null) {
            assertThat(Arrays.copyOf(tokens, tokenCount.get()))
                    .isEqualTo(answer.decoded().output());
        }
        return answer;
    }

    Throwable awaitFailure() throws InterruptedException {
        assertThat(await()).isNull();
        return failure;
    }
}
