package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/**
 * A whole loop that learns from all of its traffic: a broker, Flink with the job, two workers; what is asked of them, what operators
 * command, and what lies on the topics.
 *
 * <pre>{@code
 * try (LearningLoop loop = LearningLoop.start(folder, seed, 20)) {
 *     loop.serve(0, 200); // one kind of traffic
 *     Event drift = loop.serveUntil(20_000, EventKind.DRIFT, event -> true); // another
 *     String versions = loop.tailrace(0, "snapshots", "list");
 *     SnapshotManifest newest = loop.topics().newest();
 * }
 * }</pre>
 */
final class LearningLoop implements AutoCloseable {
    static final String SCOPE = "alpha";
    static final LaneId LANE = Fleet.MODEL.lane(SCOPE);
    /** What must come is waited for so long. */
    static final Duration EVENT_MAX = Duration.ofMinutes(2);

    private static final int REQUESTS_MAX = 6_000;

    private final LoopUnderLoad local;
    private final LoopObserver observer;
    private final Fleet fleet;
    private final TopicReader topics;
    private final Canary canary;
    private final Random random;
    private int requests;

    private LearningLoop(LoopUnderLoad local, Path folder, long seed) {
        this.local = local;
        this.observer = local.observe();
        this.fleet = new Fleet(local, observer, seed);
        this.topics = new TopicReader(local.loop().bootstrap());
        this.canary = new Canary(Path.of(local.loop().store()), folder.resolve("cache"));
        this.random = new Random(seed);
    }

    /** @param deleteSeconds within which a delete is promised */
    static LearningLoop start(Path folder, long seed, int deleteSeconds) throws IOException {
        LoopUnderLoad local = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL)
                .withJobArguments(
                        "--shards",
                        "4",
                        "--evaluation-share",
                        "1",
                        "--policy-seconds",
                        "1",
                        "--policy-evidence",
                        "500",
                        "--delete-seconds",
                        Integer.toString(deleteSeconds)));
        LearningLoop loop = new LearningLoop(local, folder, seed);
        try {
            local.addWorker("first");
            local.addWorker("second");
            return loop;
        } catch (IOException | RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    /** An answer of a kind of traffic: one of a few texts with two words changed. */
    private int[] answer(int place) {
        Random text = new Random(place * 100L + random.nextInt(20));
        int[] answer = text.ints(40, place, place + 2_000).toArray();
        answer[random.nextInt(40)] = place + random.nextInt(2_000);
        answer[random.nextInt(40)] = place + random.nextInt(2_000);
        return answer;
    }

    /** So many requests of a kind of traffic, dealt over the workers. */
    void serve(int place, int count) {
        List<LoadWorker> workers = local.workers();
        for (int i = 0; i < count; i++, requests++) {
            workers.get(requests % workers.size()).serve(fleet.request("learning-" + requests, SCOPE, answer(place)));
        }
    }

    /** One request, to the first worker. */
    void serve(String id, int[] answer) {
        local.workers().get(0).serve(fleet.request(id, SCOPE, answer));
    }

    /** Requests of all kinds of traffic so far. */
    int requests() {
        return requests;
    }

    /** Serves until there is such an event. */
    Event serveUntil(int place, EventKind kind, Predicate<Event> wanted) throws UndecodableRecordException {
        for (int served = 0; served < REQUESTS_MAX; served += 50) {
            serve(place, 50);
            List<Event> found = topics.events(kind).stream().filter(wanted).toList();
            if (!found.isEmpty()) {
                return found.get(0);
            }
        }
        return Awaitility.await(kind.toString())
                .atMost(EVENT_MAX)
                .until(
                        () -> topics.events(kind).stream()
                                .filter(wanted)
                                .findFirst()
                                .orElse(null),
                        event -> event != null);
    }

    /** What the command line says of a command about the lane, which must end with this code. */
    String tailrace(int expected, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--lane", LANE.toString()));
        return execute(expected, all.toArray(String[]::new));
    }

    /** The same of a command that names what it is about. */
    String execute(int expected, String... arguments) {
        StringWriter out = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--bootstrap", local.loop().bootstrap()));
        int code = Tailrace.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(all.toArray(String[]::new));
        assertThat(code).as("%s: %s", all, out).isEqualTo(expected);
        return out.toString();
    }

    /** A command from elsewhere. */
    void send(Control control) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", local.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            Topic.CONTROL.name(""),
                            control.getCommandId().getBytes(StandardCharsets.UTF_8),
                            RecordCodec.CONTROL.encode(control)))
                    .get();
        }
    }

    /** The lane's version that a worker drafts from; 0: none. */
    static long loadedVersion(LoadWorker worker) {
        return worker.views().stream()
                .map(LoadWorker.LaneView::state)
                .filter(state -> state.lane().equals(LANE))
                .mapToLong(state -> state.loadedVersion())
                .findFirst()
                .orElse(0);
    }

    /** Broker, job and workers. */
    LocalLoop local() {
        return local.loop();
    }

    List<LoadWorker> workers() {
        return local.workers();
    }

    Fleet fleet() {
        return fleet;
    }

    TopicReader topics() {
        return topics;
    }

    Canary canary() {
        return canary;
    }

    @Override
    public void close() {
        observer.close();
        local.close();
    }
}
