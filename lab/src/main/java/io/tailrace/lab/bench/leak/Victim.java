package io.tailrace.lab.bench.leak;

import io.tailrace.lab.bench.serve.BenchServer;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.sampling.SamplingParameters;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/** Another user of the worker, whose answers enter its scope's lane. */
final class Victim {
    /** Whose answers are at stake. */
    static final String SCOPE = "shared";

    private static final String FRESH_TOKENS = "tailrace_fresh_tokens{lane=\"%s@1/%s\"";
    private static final long REMEMBERED_NANOS_MAX = 10_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private final BenchServer server;
    private final String scope;
    private int answered;

    Victim(BenchServer server) {
        this(server, SCOPE);
    }

    Victim(BenchServer server, String scope) {
        this.server = server;
        this.scope = scope;
    }

    /** Is answered greedily, and returns when the lane drafts from it. */
    int[] asks(int[] prompt, int tokens) throws IOException, InterruptedException {
        return asks(prompt, tokens, SamplingParameters.GREEDY);
    }

    /** Is answered, and returns the answer's tokens when the lane drafts from it. */
    int[] asks(int[] prompt, int tokens, SamplingParameters sampling) throws IOException, InterruptedException {
        CompletableFuture<Answer> end = new CompletableFuture<>();
        double before = remembered();
        server.submit(
                new DecodeRequest(scope + answered++, scope, prompt, tokens, sampling, List.of(), true, true),
                new Waiting(end));
        int[] output = answer(end).decoded().output();
        awaitMoreThan(before);
        return output;
    }

    private static Answer answer(CompletableFuture<Answer> end) throws IOException, InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IOException("the model broke: " + e.getCause().getMessage(), e.getCause());
        }
    }

    private void awaitMoreThan(double before) throws IOException {
        long until = System.nanoTime() + REMEMBERED_NANOS_MAX;
        while (remembered() <= before) {
            if (System.nanoTime() > until) {
                throw new IOException("an answer was not in the lane within 10 s");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Tokens that the lane drafts from. */
    private double remembered() {
        return BenchServer.sum(server.scrape(), FRESH_TOKENS.formatted(BenchServer.MODEL, scope));
    }

    private record Waiting(CompletableFuture<Answer> end) implements Answer.Sink {
        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {
            // The end has them all.
        }

        @Override
        public void finished(Answer answer) {
            end.complete(answer);
        }

        @Override
        public void failed(Throwable cause) {
            end.completeExceptionally(cause);
        }
    }
}
