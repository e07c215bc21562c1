package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.djl.DjlTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten thousand requests over HTTP to one worker process in the whole loop: broker, Flink with the index job, snapshots of its own
 * answers swapped under it. What the requests took, the process gives back.
 */
@Tag("full")
class ServingSoakIT {
    private static final long SEED = 20_261_121L;
    private static final int WARM_UP_REQUESTS = 3_000;
    private static final int REQUESTS = 10_000;
    private static final int LOOK_EVERY = 1_000;
    private static final int CLIENTS = 12;
    /** Of the last half: a kilobyte kept of each request would be twice as much. */
    private static final long GROWTH_KB_MAX = 2_500;
    /** The second compiler takes and gives back tens of megabytes for hours; without it what is compiled is compiled soon. */
    private static final List<String> FIRST_COMPILER_ONLY = List.of("-XX:TieredStopAtLevel=1");

    @TempDir
    static Path folder;

    private WorkerClient client;
    private final AtomicInteger cutOff = new AtomicInteger();

    @Test
    void memoryIsFlatOverTenThousandRequests() throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/status")), "memory is read from /proc");
        Path model =
                ModelDirectory.write(folder.resolve("tiny"), TinyLlama.random(Shape.small(), SEED), WeightType.F32, 1);
        try (LocalLoop loop = LocalLoop.start(LoopUnderLoad.options(folder, served(model)));
                ServingChild worker =
                        ServingChild.start(folder, "soaked", FIRST_COMPILER_ONLY, model, loop.bootstrap())) {
            client = worker.client();
            ask(WARM_UP_REQUESTS, 0);
            long loads = client.metric("tailrace_snapshot_loads");
            long before = memoryKb(worker);
            List<Long> growths = new ArrayList<>();
            for (int asked = 0; asked < REQUESTS; asked += LOOK_EVERY) {
                ask(LOOK_EVERY, WARM_UP_REQUESTS + asked);
                growths.add(memoryKb(worker) - before);
            }
            long swaps = client.metric("tailrace_snapshot_loads") - loads;
            System.out.printf(
                    "seed %d: %,d requests over HTTP after %,d, %,d cut off by their clients, %,d snapshots loaded meanwhile:"
                            + " memory %,d kB, growth after each thousand in kB %s%n",
                    SEED, REQUESTS, WARM_UP_REQUESTS, cutOff.get(), swaps, before, growths);
            assertThat(growths.get(growths.size() - 1) - growths.get(growths.size() / 2 - 1))
                    .isLessThan(GROWTH_KB_MAX);
            assertThat(swaps).isPositive();
            worker.awaitAllSent();
            assertThat(client.metric("tailrace_requests_running")).isZero();
        }
    }

    private static ServedModel served(Path model) {
        try (DjlTokenizer tokenizer = DjlTokenizer.load(model)) {
            return new ServedModel("tiny", "1", TinyTokenizer.VOCABULARY_SIZE, tokenizer.fingerprint());
        }
    }

    /** Questions from several clients at once; whoever fails ends the test. */
    private void ask(int requests, int from) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> asked = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                Random random = new Random(SEED + from + i);
                asked.add(clients.submit(() -> askOnce(random)));
            }
            for (Future<?> each : asked) {
                each.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** Whole, streamed, or streamed to a client that goes away. */
    private Void askOnce(Random random) throws IOException, InterruptedException {
        int promptTokens = 1 + random.nextInt(60);
        int tokens = 1 + random.nextInt(40);
        switch (random.nextInt(8)) {
            case 0 -> {
                client.hangUp(WorkerClient.body(random, promptTokens, 200, "\"stream\": true"));
                cutOff.incrementAndGet();
            }
            case 1, 2, 3 ->
                assertThat(client.stream(WorkerClient.body(random, promptTokens, tokens, "\"stream\": true"), () -> {}))
                        .isPresent();
            default -> client.ask(random, promptTokens, tokens);
        }
        return null;
    }

    /** What the process has of memory, without mapped files: those are the lane's snapshots, which grow with what was learned. */
    private static long memoryKb(ServingChild worker) throws IOException {
        Path status = Path.of("/proc", Long.toString(worker.process().id()), "status");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
