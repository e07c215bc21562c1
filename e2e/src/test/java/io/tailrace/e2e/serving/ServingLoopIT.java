package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.e2e.loop.Books;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.serve.DraftOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole loop with a model that really decodes, as its clients see it: a broker, Flink with the index job, two serving workers with the
 * defaults of an operator, spoken to over HTTP with a key for each scope.
 */
class ServingLoopIT {
    private static final long SEED = 20_261_123L;
    private static final int PROMPTS = 6;
    private static final int PROMPT_TOKENS = 10;
    private static final int OUTPUT_TOKENS = 120;
    private static final int ROUNDS_MAX = 20;
    /** Of nine tenths that could be had: the default budget goes by step times, and those of a busy machine tell it now and then that drafts do not pay. */
    private static final double GAINED_MIN = 0.25;

    private static final String COLD = "cold";
    private static final String SHARED = "shared";
    private static final Map<String, String> KEYS = Map.of("key-of-cold", COLD, "key-of-shared", SHARED);
    private static final Duration DIGESTED_MAX = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Path model;

    @Test
    void theSecondWorkerDraftsFromWhatTheFirstAnswered() throws Exception {
        model = ModelDirectory.write(folder.resolve("model"), TinyLlama.random(Shape.small(), SEED), WeightType.F32, 1);
        ServedModel served = served();
        List<String> ids = new ArrayList<>();
        try (LocalLoop loop = LocalLoop.start(
                        LoopUnderLoad.options(folder.resolve("loop"), served).withJobArguments("--shards", "4"));
                LoopObserver observer = LoopObserver.of(loop.bootstrap());
                Serving first = serving("first", served, loop);
                Serving second = serving("second", served, loop)) {
            double cold = acceptedShare(second.client(COLD), ids);
            acceptedShare(first.client(SHARED), ids);
            awaitSettled(observer, ids.size());
            awaitLoaded(second.client(SHARED), observer, served.lane(SHARED));
            double warm = bestShare(second.client(SHARED), cold + GAINED_MIN);
            acceptedShare(second.client(SHARED), ids);
            System.out.printf("accepted by the second worker: %.2f of its tokens cold, %.2f warm%n", cold, warm);
            assertThat(warm).as("seed %d, cold %.2f", SEED, cold).isGreaterThan(cold + GAINED_MIN);
            awaitSettled(observer, ids.size());
            requireOutcomes(loop, ids);
        }
    }

    private ServedModel served() {
        try (DjlTokenizer tokenizer = DjlTokenizer.load(model)) {
            return new ServedModel("tiny", "1", TinyTokenizer.VOCABULARY_SIZE, tokenizer.fingerprint());
        }
    }

    private Serving serving(String name, ServedModel served, LocalLoop loop) throws IOException {
        Path own = folder.resolve(name);
        FollowOptions follow = FollowOptions.of(loop.store(), own.resolve("cache"));
        ServingWorkerOptions options = ServingWorkerOptions.alone(name, served, follow)
                .withReporting(ReportingOptions.of(KafkaAccess.of(loop.bootstrap()), own.resolve("spool")));
        assertThat(options.drafts()).isEqualTo(DraftOptions.defaults());
        ServingWorker worker = new ServingWorker(options, DjlModels.load(ModelOptions.of(model)));
        worker.start();
        return new Serving(
                worker,
                ServingEndpoint.start(
                        EndpointOptions.defaults().withKeys(KEYS).withVisibility(new DraftVisibility(true, 0)),
                        worker));
    }

    private record Serving(ServingWorker worker, ServingEndpoint endpoint) implements AutoCloseable {
        WorkerClient client(String scope) {
            return new WorkerClient("http://127.0.0.1:" + endpoint.port(), "key-of-" + scope);
        }

        @Override
        public void close() {
            endpoint.close();
            worker.close();
        }
    }

    /** Asks every prompt once, with the same seeds each time; accepted draft tokens by tokens. */
    private static double acceptedShare(WorkerClient client, List<String> ids) throws Exception {
        int accepted = 0;
        int tokens = 0;
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            Told told = client.ask(new Random(SEED + prompt), PROMPT_TOKENS, OUTPUT_TOKENS);
            ids.add(told.id());
            accepted += told.tokens() - told.steps();
            tokens += told.tokens();
        }
        return (double) accepted / tokens;
    }

    /** The same with answers that are kept out of drafts, again while the machine's moods cost the drafts too much. */
    private static double bestShare(WorkerClient client, double enough) throws Exception {
        double best = 0;
        for (int round = 0; best <= enough && round < ROUNDS_MAX; round++) {
            int accepted = 0;
            int tokens = 0;
            for (int prompt = 0; prompt < PROMPTS; prompt++) {
                Told told = client.told(unkept(new Random(SEED + prompt)));
                accepted += told.tokens() - told.steps();
                tokens += told.tokens();
            }
            best = Math.max(best, (double) accepted / tokens);
        }
        return best;
    }

    /** A request whose answer is kept out of drafts and reports. */
    private static String unkept(Random random) {
        return WorkerClient.body(
                random, PROMPT_TOKENS, OUTPUT_TOKENS, "\"store\": false, \"tailrace\": {\"report\": true}");
    }

    private static void awaitSettled(LoopObserver observer, long read) {
        Books.awaitClosed(observer, DIGESTED_MAX, records -> records.read() == read);
    }

    /** Asks for what is kept out of drafts and reports until the newest snapshot answers. */
    private static void awaitLoaded(WorkerClient client, LoopObserver observer, LaneId lane) {
        String body = unkept(new Random(SEED));
        Awaitility.await("the second worker to follow " + lane)
                .atMost(DIGESTED_MAX)
                .until(() -> {
                    observer.poll(Duration.ofMillis(50));
                    long announced = observer.versions().getOrDefault(lane, 0L);
                    return announced > 0 && client.told(body).snapshotVersion() == announced;
                });
    }

    /** One of each answer, with what the mixer foretold: drift is watched by it. */
    private static void requireOutcomes(LocalLoop loop, List<String> ids) throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        Awaitility.await("the outcomes").atMost(DIGESTED_MAX).until(() -> {
            outcomes.clear();
            outcomes.addAll(new TopicReader(loop.bootstrap()).read(Topic.OUTCOMES, RecordCodec.OUTCOME));
            return outcomes.size() >= ids.size();
        });
        assertThat(outcomes).extracting(Outcome::getRequestId).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(outcomes).extracting(Outcome::getStrategy).containsOnly("adaptive");
        assertThat(outcomes.stream().mapToLong(Outcome::getPredictions).sum()).isPositive();
        assertThat(outcomes.stream().mapToDouble(Outcome::getLogLoss).sum()).isPositive();
    }
}
