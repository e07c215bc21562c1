package io.tailrace.e2e.loop;

import io.tailrace.cli.Tailrace;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Topic;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** What the tests do with a loop: make requests, serve them, wait until the loop has digested them. */
public final class Fleet {
    public static final ServedModel MODEL = new ServedModel("tiny", "1", 40_000, "test-tokenizer");
    /** Ordinary answers stay below; canaries are above. */
    static final int CANARIES_FROM = 39_000;

    private static final Duration DIGESTED_MAX = Duration.ofSeconds(60);

    private final LoopUnderLoad loop;
    private final LoopObserver observer;
    private final Map<String, int[]> truths = new HashMap<>();
    private final Map<String, String> scopes = new HashMap<>();
    private final Random random;

    public Fleet(LoopUnderLoad loop, LoopObserver observer, long seed) {
        this.loop = loop;
        this.observer = observer;
        this.random = new Random(seed);
    }

    /** Response by request id, of everything that was made here. */
    Map<String, int[]> truths() {
        return truths;
    }

    /** Scope by request id. */
    Map<String, String> scopes() {
        return scopes;
    }

    /** Notes an answer that the loop will be given. */
    void expect(String id, String scope, int[] response) {
        truths.put(id, response);
        scopes.put(id, scope);
    }

    /** What {@code tailrace audit} says of the loop now. */
    String audit() {
        StringWriter said = new StringWriter();
        Tailrace.commandLine()
                .setOut(new PrintWriter(said))
                .execute(
                        "audit",
                        "--bootstrap",
                        loop.loop().bootstrap(),
                        "--store",
                        loop.loop().store().toString());
        return said.toString();
    }

    /** A request with an answer that nobody could guess. */
    public RecordedRequest request(String id, String scope) {
        return request(id, scope, random.ints(80, 0, CANARIES_FROM).toArray());
    }

    /** A request with this answer. */
    public RecordedRequest request(String id, String scope, int[] response) {
        expect(id, scope, response);
        int[] prompt = random.ints(20, 0, CANARIES_FROM).toArray();
        return new RecordedRequest(
                id,
                scope,
                "test",
                null,
                null,
                prompt,
                prompt.length,
                response,
                new RecordedRequest.Position(Path.of("test"), 1));
    }

    /** Writes a record to topic generations, whatever it holds. */
    public RecordMetadata produce(byte[] key, byte[] value) throws InterruptedException, ExecutionException {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            return producer.send(new ProducerRecord<>(Topic.GENERATIONS.name(""), key, value))
                    .get();
        }
    }

    /** Waits until the job's books close over everything that lies in Kafka, with nothing pending. */
    public LoopObserver.Accounting awaitSettled() {
        Awaitility.await("books that close")
                .atMost(DIGESTED_MAX)
                .pollInterval(Duration.ofMillis(100))
                .failFast("the job has ended", () -> loop.loop().job().status().isGloballyTerminalState())
                .until(() -> {
                    observer.poll(Duration.ofMillis(100));
                    return observer.accounting().settled();
                });
        return observer.accounting();
    }

    /** Waits until the worker has loaded the newest announced version of the lane. */
    public void awaitLoaded(LoadWorker worker, String scope) {
        awaitLoaded(worker, MODEL.lane(scope));
    }

    void awaitLoaded(LoadWorker worker, LaneId lane) {
        Awaitility.await("worker " + worker.name() + " to follow " + lane)
                .atMost(DIGESTED_MAX)
                .until(() -> {
                    observer.poll(Duration.ofMillis(50));
                    long announced = observer.versions().getOrDefault(lane, 0L);
                    return announced > 0 && loadedVersion(worker, lane) == announced;
                });
    }

    /** Waits until the worker has heard of so many answers of others that no snapshot held yet. */
    void awaitHeard(LoadWorker worker, String scope, long answers) {
        Awaitility.await("worker " + worker.name() + " to hear of an answer")
                .atMost(DIGESTED_MAX)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> heard(worker, scope) >= answers);
    }

    long heard(LoadWorker worker, String scope) {
        return number(worker, MODEL.lane(scope), LaneState::heardSamples);
    }

    private static long loadedVersion(LoadWorker worker, LaneId lane) {
        return number(worker, lane, LaneState::loadedVersion);
    }

    private static long number(LoadWorker worker, LaneId lane, ToLongFunction<LaneState> number) {
        return worker.views().stream()
                .map(LoadWorker.LaneView::state)
                .filter(state -> state.lane().equals(lane))
                .mapToLong(number)
                .findFirst()
                .orElse(0);
    }
}
