package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.report.Reporter;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.djl.DjlTokenizer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Serving workers, a real broker and clients, each a process or threads of its own; brokers and workers are stopped and killed.
 * Whoever got a whole answer finds it in Kafka, as he got it.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class ServingFaultsIT {
    private static final long SEED = 20_261_121L;
    private static final int STREAMS = 4;

    @TempDir
    static Path folder;

    private static final Random RANDOM = new Random(SEED);
    private static Path model;
    private static DjlTokenizer tokenizer;
    private static BrokerProcess broker;

    @BeforeAll
    static void startTheBroker() throws Exception {
        System.out.println("seed " + SEED);
        Shape shape = new Shape(TinyTokenizer.VOCABULARY_SIZE, 32, 48, 2, 4, 2, 8, 4_096, 10_000, null, true);
        model = ModelDirectory.write(folder.resolve("tiny"), TinyLlama.random(shape, SEED), WeightType.F32, 1);
        tokenizer = DjlTokenizer.load(model);
        broker = BrokerProcess.start(folder.resolve("broker"));
    }

    @AfterAll
    static void stopTheBroker() {
        if (broker != null) {
            broker.close();
        }
        if (tokenizer != null) {
            tokenizer.close();
        }
    }

    @Test
    @Order(1)
    void anOutageAndAKillLoseNoAnswerAndABoundSaysWhatItDropped() throws Exception {
        String bound = Long.toString(Reporter.SPOOL_BYTES_MIN);
        List<Told> told = new ArrayList<>();
        List<Told> overBound = new ArrayList<>();
        try (ServingChild killed = worker("killed");
                ServingChild bounded = worker("bounded", "--spool-bytes", bound)) {
            told.add(killed.client().ask(RANDOM));
            killed.awaitAllSent();
            broker.stop();
            told.addAll(askUntilKilled(killed));
            for (int i = 0; i < 40; i++) {
                overBound.add(bounded.client().ask(RANDOM, 1_500, 4));
            }
            assertThat(bounded.client().status("/health/live")).isEqualTo(200);
            assertThat(bounded.client().status("/health/ready")).isEqualTo(200);
            assertThat(bounded.client().metric("tailrace_spool_bytes")).isLessThanOrEqualTo(Reporter.SPOOL_BYTES_MIN);
            assertThat(bounded.process().output()).contains("oldest records dropped");
            try (ServingChild again = worker("killed")) {
                told.add(again.client().ask(RANDOM));
                long reports = 2L * (told.size() - 1);
                assertThat(again.client().metric("tailrace_spool_records"))
                        .as("an answer is spooled before its client has it: the kill may have come between the two")
                        .isBetween(reports, reports + 2L * Crowd.CLIENTS);
                broker.start();
                again.awaitAllSent();
                bounded.awaitAllSent();
                ReportBook book = book();
                book.requireAll(told);
                book.requireAll(overBound.subList(overBound.size() - 5, overBound.size()));
                long dropped = bounded.client().metric("tailrace_spool_dropped");
                assertThat(book.missing(overBound)).isPositive().isLessThanOrEqualTo(dropped);
                assertThat(again.client().metric("tailrace_spool_dropped")).isZero();
            }
        }
    }

    /** The worker is killed while its clients wait; what they had got whole. */
    private static List<Told> askUntilKilled(ServingChild worker) throws Exception {
        try (Crowd crowd = new Crowd(worker.client(), SEED)) {
            crowd.awaitMore(20);
            worker.process().kill();
            return crowd.stop();
        }
    }

    @Test
    @Order(2)
    void aWorkerToldToEndFinishesItsStreamsAndReportsThemAll() throws Exception {
        List<Told> told = new ArrayList<>();
        ExecutorService clients = Executors.newFixedThreadPool(STREAMS);
        try (ServingChild worker = worker("ending")) {
            CountDownLatch streaming = new CountDownLatch(STREAMS);
            List<Future<Optional<Told>>> streams = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                String body = WorkerClient.body(
                        RANDOM,
                        10,
                        3_000,
                        "\"stream\": true, \"stream_options\": {\"include_usage\": true}, \"tailrace\": {\"drafts\": false}");
                streams.add(clients.submit(() -> worker.client().stream(body, streaming::countDown)));
            }
            streaming.await();
            worker.process().terminate();
            HttpResponse<String> refused = askUntilRefused(worker.client());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("this worker is stopping; ask another one");
            assertThat(worker.client().status("/health/ready")).isEqualTo(503);
            for (Future<Optional<Told>> stream : streams) {
                told.add(stream.get().orElseThrow(() -> new AssertionError("a stream has no end")));
            }
            worker.process().awaitEnd();
        } finally {
            clients.shutdownNow();
        }
        assertThat(told).allMatch(answer -> answer.tokens() > 0);
        book().requireAll(told);
    }

    private static HttpResponse<String> askUntilRefused(WorkerClient client) throws Exception {
        while (true) {
            HttpResponse<String> answer = client.post(WorkerClient.body(RANDOM, 5, 2, "\"store\": false"));
            if (answer.statusCode() != 200) {
                return answer;
            }
        }
    }

    @Test
    @Order(3)
    void whateverIsKilledAndWhenNoAnswerIsLost() throws Exception {
        List<Told> told = new ArrayList<>();
        ServingChild worker = worker("unlucky");
        try {
            for (int round = 0; round < 12; round++) {
                try (Crowd crowd = new Crowd(worker.client(), RANDOM.nextLong())) {
                    crowd.awaitMore(1 + RANDOM.nextInt(60));
                    switch (RANDOM.nextInt(4)) {
                        case 0 -> broker.kill();
                        case 1 -> broker.stop();
                        case 2 -> worker.process().kill();
                        default -> {
                            broker.kill();
                            crowd.awaitMore(1 + RANDOM.nextInt(60));
                            worker.process().kill();
                        }
                    }
                    if (worker.process().alive()) {
                        crowd.awaitMore(1 + RANDOM.nextInt(60));
                    }
                    told.addAll(crowd.stop());
                }
                if (!broker.alive()) {
                    broker.start();
                }
                if (!worker.process().alive()) {
                    worker = worker("unlucky");
                }
            }
            worker.awaitAllSent();
            ReportBook book = book();
            book.requireAll(told);
            System.out.printf(
                    "seed %d: %,d answers through 12 faults, all in Kafka, %,d records there more than once%n",
                    SEED, told.size(), book.repeats());
        } finally {
            worker.close();
        }
    }

    private static ServingChild worker(String name, String... more) throws Exception {
        return ServingChild.start(folder, name, List.of(), model, broker.bootstrap(), more);
    }

    private static ReportBook book() throws Exception {
        return ReportBook.read(broker.bootstrap(), tokenizer);
    }
}
