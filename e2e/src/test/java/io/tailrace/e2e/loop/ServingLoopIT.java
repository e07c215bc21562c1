package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.local.LocalLoop;
import io.tailrace.local.LocalLoopOptions;
import io.tailrace.local.observe.LoopObserver;
import io.tailrace.schemas.LaneId;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.KafkaAccess;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.AnswerSink;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.follow.FollowOptions;
import io.tailrace.worker.follow.ServedModel;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.serve.DraftOptions;
import io.tailrace.worker.serve.ReportingOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole loop with a model that really decodes: a broker, Flink with the index job, two serving workers. */
class ServingLoopIT {
    private static final long SEED = 20_261_123L;
    private static final int PROMPTS = 12;
    private static final int OUTPUT_TOKENS = 60;
    private static final String SHARED = "shared";
    private static final Duration DIGESTED_MAX = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Path model;
    private int asked;

    @Test
    void theSecondWorkerDraftsFromWhatTheFirstAnswered() throws Exception {
        TinyLlama tiny = TinyLlama.random(Shape.small(), SEED);
        model = ModelDirectory.write(folder.resolve("model"), tiny, WeightType.F32, 1);
        ServedModel served = served();
        try (LocalLoop loop = LocalLoop.start(
                        LocalLoopOptions.in(folder.resolve("loop"), served).withJobArguments("--shards", "4"));
                LoopObserver observer = loop.observe();
                ServingWorker first = worker("first", served, loop);
                ServingWorker second = worker("second", served, loop)) {
            double cold = acceptedShare(second, "cold");
            acceptedShare(first, SHARED);
            awaitSettled(observer, 2 * PROMPTS);
            awaitLoaded(second, observer, served.lane(SHARED));
            double warm = acceptedShare(second, SHARED);
            System.out.printf("accepted by the second worker: %.2f of its tokens cold, %.2f warm%n", cold, warm);
            assertThat(warm).as("seed %d, cold %.2f", SEED, cold).isGreaterThan(cold + 0.3);
            awaitSettled(observer, 3 * PROMPTS);
        }
    }

    private ServedModel served() {
        LanguageModel any = DjlModels.load(ModelOptions.of(model));
        try {
            return new ServedModel(
                    "tiny", "1", any.target().vocabularySize(), any.tokenizer().fingerprint());
        } finally {
            any.close();
        }
    }

    private ServingWorker worker(String name, ServedModel served, LocalLoop loop) throws IOException {
        Path own = folder.resolve(name);
        FollowOptions follow = FollowOptions.of(loop.store(), own.resolve("cache"));
        ServingWorkerOptions options = ServingWorkerOptions.alone(name, served, follow)
                .withDrafts(new DraftOptions("adaptive", false))
                .withReporting(ReportingOptions.of(KafkaAccess.of(loop.bootstrap()), own.resolve("spool")));
        ServingWorker worker = new ServingWorker(options, DjlModels.load(ModelOptions.of(model)));
        worker.start();
        return worker;
    }

    /** Asks every prompt once, with the same seeds each time; accepted draft tokens by tokens. */
    private double acceptedShare(ServingWorker worker, String scope) throws Exception {
        long accepted = 0;
        long tokens = 0;
        for (int i = 0; i < PROMPTS; i++) {
            Answer answer = ask(worker, scope, i, true);
            assertThat(answer.decoded().tally().predictions())
                    .as("what the mixer foretold goes into the outcome, for drift is watched by it")
                    .isPositive();
            assertThat(answer.decoded().tally().logLoss()).isPositive();
            accepted += answer.decoded().tally().accepted();
            tokens += answer.decoded().output().length;
        }
        return (double) accepted / tokens;
    }

    private Answer ask(ServingWorker worker, String scope, int prompt, boolean remembered) throws Exception {
        int[] tokens = new Random(SEED + prompt)
                .ints(10, 3, Shape.small().vocabularySize())
                .toArray();
        CompletableFuture<Answer> held = new CompletableFuture<>();
        worker.submit(
                new DecodeRequest(
                        "request-" + asked++,
                        scope,
                        tokens,
                        OUTPUT_TOKENS,
                        new SamplingParameters(1, 0, 1, prompt + 1),
                        List.of(),
                        true,
                        remembered),
                new Held(held));
        return held.get(60, TimeUnit.SECONDS);
    }

    private void awaitSettled(LoopObserver observer, long read) {
        Awaitility.await("books that close over " + read + " answers")
                .atMost(DIGESTED_MAX)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    observer.poll(Duration.ofMillis(100));
                    return observer.accounting().settled()
                            && observer.accounting().records().read() == read;
                });
    }

    private void awaitLoaded(ServingWorker worker, LoopObserver observer, LaneId lane) {
        List<Long> seen = new ArrayList<>();
        Awaitility.await("the second worker to follow " + lane)
                .atMost(DIGESTED_MAX)
                .until(() -> {
                    observer.poll(Duration.ofMillis(50));
                    seen.add(ask(worker, lane.scope(), 0, false).decoded().snapshotVersionLast());
                    long announced = observer.versions().getOrDefault(lane, 0L);
                    return announced > 0 && seen.get(seen.size() - 1) == announced;
                });
    }

    private record Held(CompletableFuture<Answer> answer) implements AnswerSink {
        @Override
        public void tokens(int[] tokens, int count) {
            // The answer has them all.
        }

        @Override
        public void finished(Answer ended) {
            answer.complete(ended);
        }

        @Override
        public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }
}
