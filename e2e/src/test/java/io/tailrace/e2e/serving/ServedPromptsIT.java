package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.e2e.loop.Books;
import io.tailrace.e2e.loop.CanaryWatch;
import io.tailrace.e2e.loop.PromptCanaries;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of the prompts that workers serve, no more than the tail stands in any topic but generations and in any file, at any time that somebody
 * looks. Only a spool has whole ones, until they are sent, unless its worker sends none.
 */
@Tag("full")
class ServedPromptsIT {
    private static final long SEED = 20_261_126L;
    /** So many that the ids that are canaries seldom stand for anything else. */
    private static final int VOCABULARY = 40_000;

    private static final int PROMPT_TOKENS = 24;
    private static final PromptCanaries CANARIES = new PromptCanaries(38_000, 80, PROMPT_TOKENS);
    private static final Duration DIGESTED_MAX = Duration.ofSeconds(90);

    private static final String USUAL = "usual";
    private static final String QUIET = "quiet";
    private static final Map<String, String> KEYS = Map.of("key-of-usual", USUAL, "key-of-quiet", QUIET);
    private static final String SPOOL_OF_WHO_TELLS = "telling" + File.separator + "spool";

    @TempDir
    Path folder;

    @TempDir
    Path model;

    private final Set<Integer> tails = new TreeSet<>();
    private int asked;

    @Test
    void noMoreThanTheTailLeavesWorkersThatServe() throws Exception {
        ServedModel served = writeModel();
        LocalLoop.Options options = LoopUnderLoad.options(folder.resolve("loop"), served)
                .withJobArguments("--shards", "2", "--prompt-tail", "quiet=0", "--prompt-signature", "quiet=off");
        try (LocalLoop loop = LocalLoop.start(options);
                LoopObserver observer = LoopObserver.of(loop.bootstrap());
                CanaryWatch watch = new CanaryWatch(loop.bootstrap(), CANARIES, folder);
                Serving telling = serving("telling", served, loop, true);
                Serving discreet = serving("discreet", served, loop, false)) {
            for (int round = 0; round < 3; round++) {
                askAll(telling, discreet);
            }
            awaitSettled(observer);
            awaitCached(watch);

            loop.stopBroker();
            Set<Integer> whole = new TreeSet<>(CANARIES.tail(asked, PROMPT_TOKENS));
            askAll(telling, discreet);
            Awaitility.await("a spool that holds what Kafka cannot have")
                    .atMost(DIGESTED_MAX)
                    .untilAsserted(() ->
                            assertThat(watch.now().get(SPOOL_OF_WHO_TELLS)).containsAll(whole));
            loop.startBroker();
            awaitSettled(observer);
            awaitCached(watch);
            Awaitility.await("a spool that holds no prompt that was sent")
                    .atMost(DIGESTED_MAX)
                    .untilAsserted(() -> assertThat(watch.now().getOrDefault(SPOOL_OF_WHO_TELLS, Set.of()))
                            .isEmpty());

            Map<String, Set<Integer>> ever = new TreeMap<>(watch.ever());
            ever.remove(SPOOL_OF_WHO_TELLS);
            assertThat(ever.get("topic admitted")).isEqualTo(tails);
            assertThat(ever.get("loop" + File.separator + "store")).isEqualTo(tails);
            assertThat(ever).containsKey("discreet" + File.separator + "spool");
            assertThat(ever)
                    .allSatisfy((place, found) -> assertThat(tails).as(place).containsAll(found));
        }
    }

    /** Each worker once in each scope; the first is who tells, in the usual scope. */
    private void askAll(Serving telling, Serving discreet) throws Exception {
        tails.addAll(CANARIES.tail(asked, RememberedAnswer.TAIL_TOKENS));
        for (Serving worker : new Serving[] {telling, discreet}) {
            for (String scope : new String[] {USUAL, QUIET}) {
                String body = """
                        {"model": "tiny", "prompt": %s, "max_tokens": 40, "temperature": 1, "seed": %d}""".formatted(Arrays.toString(CANARIES.prompt(asked)), asked);
                assertThat(worker.client(scope).post(body).statusCode()).isEqualTo(200);
                asked++;
            }
        }
    }

    /** A spool may send twice what it did not hear of. */
    private void awaitSettled(LoopObserver observer) {
        Books.awaitClosed(observer, DIGESTED_MAX, records -> records.read() >= asked);
    }

    /** Both workers have fetched the files that hold all tails. */
    private void awaitCached(CanaryWatch watch) {
        for (String worker : new String[] {"telling", "discreet"}) {
            Awaitility.await("tails in the cache of " + worker)
                    .atMost(DIGESTED_MAX)
                    .untilAsserted(() -> assertThat(watch.now().get(worker + File.separator + "cache"))
                            .isEqualTo(tails));
        }
    }

    /** A model of random weights, with a tokenizer of as many tokens. */
    private ServedModel writeModel() throws IOException {
        Shape small = Shape.small().untied();
        Shape wide = new Shape(
                VOCABULARY,
                small.hidden(),
                small.intermediate(),
                small.layers(),
                small.heads(),
                small.keyValueHeads(),
                small.headSize(),
                small.contextTokensMax(),
                small.ropeTheta(),
                small.ropeScaling(),
                small.tied());
        ModelDirectory.write(model, TinyLlama.random(wide, SEED), WeightType.F32, 1);
        ObjectMapper json = new ObjectMapper();
        File file = model.resolve("tokenizer.json").toFile();
        ObjectNode tokenizer = (ObjectNode) json.readTree(file);
        ObjectNode vocabulary = (ObjectNode) tokenizer.path("model").path("vocab");
        for (int id = TinyTokenizer.VOCABULARY_SIZE; id < VOCABULARY; id++) {
            vocabulary.put("token" + id, id);
        }
        json.writeValue(file, tokenizer);
        try (DjlTokenizer loaded = DjlTokenizer.load(model)) {
            return new ServedModel("tiny", "1", VOCABULARY, loaded.fingerprint());
        }
    }

    private Serving serving(String name, ServedModel served, LocalLoop loop, boolean prompts) throws IOException {
        Path own = folder.resolve(name);
        ReportingOptions usual = ReportingOptions.of(KafkaAccess.of(loop.bootstrap()), own.resolve("spool"));
        ServingWorkerOptions options = ServingWorkerOptions.alone(
                        name,
                        served,
                        FollowOptions.of(loop.store(), own.resolve("cache"))
                                .withPrompts(KeptOfPrompts.parse(List.of("quiet=0"), List.of("quiet=off"))))
                .withReporting(new ReportingOptions(
                        usual.kafka(),
                        usual.boundTopics(),
                        usual.spool(),
                        usual.spoolBytesMax(),
                        prompts,
                        usual.drainTimeMax()));
        ServingWorker worker = new ServingWorker(options, DjlModels.load(ModelOptions.of(model)));
        worker.start();
        return new Serving(
                worker, ServingEndpoint.start(EndpointOptions.defaults().withKeys(KEYS), worker));
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
}
