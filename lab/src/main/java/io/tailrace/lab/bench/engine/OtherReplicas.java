package io.tailrace.lab.bench.engine;

import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.local.LocalLoop;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A loop in this process, and in place of the fleet's other replicas what they would have written: their answers, as they give them. */
final class OtherReplicas implements Closeable {
    private static final Duration DIGESTED_MAX = Duration.ofMinutes(2);
    private static final Duration HEARD_MAX = Duration.ofSeconds(30);

    private final ModelCatalog.Model model;
    private final LocalLoop loop;
    private final LoopObserver observer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> admitted;
    private final Set<RequestHash> unheard = new HashSet<>();
    private final AtomicReference<Exception> failed = new AtomicReference<>();
    private long written;

    private OtherReplicas(ModelCatalog.Model model, LocalLoop loop) {
        this.model = model;
        this.loop = loop;
        this.observer = LoopObserver.of(loop.bootstrap());
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", loop.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
        this.admitted = new KafkaConsumer<>(
                Map.of("bootstrap.servers", loop.bootstrap()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = admitted.partitionsFor(Topic.ADMITTED.name("")).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        admitted.assign(partitions);
        admitted.seekToBeginning(partitions);
    }

    static OtherReplicas start(Path folder, ModelCatalog.Model model) throws IOException {
        return new OtherReplicas(model, LocalLoop.start(LocalLoop.Options.in(folder, model)));
    }

    /** What an agent needs to be in this fleet. */
    List<String> agentArguments() {
        return List.of("--bootstrap", loop.bootstrap(), "--store", loop.store().toString());
    }

    /** Answers a request elsewhere, now. */
    void answer(String scope, EngineTraffic.Request request) throws IOException {
        String id = "elsewhere-" + written++;
        unheard.add(RequestHash.of(id));
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Generation generation = Generation.newBuilder()
                .setRequestId(id)
                .setLane(new Lane(model.model(), model.revision(), scope))
                .setProducer("elsewhere")
                .setPrompt(TokenIds.toList(request.prompt()))
                .setResponse(TokenIds.toList(request.response()))
                .setStartedAt(now)
                .setCompletedAt(now)
                .build();
        Future<RecordMetadata> unused = producer.send(
                new ProducerRecord<>(
                        Topic.GENERATIONS.name(""),
                        id.getBytes(StandardCharsets.UTF_8),
                        RecordCodec.GENERATION.encode(generation)),
                (done, wrong) -> {
                    if (wrong != null) {
                        failed.compareAndSet(null, wrong);
                    }
                });
        if (failed.get() != null) {
            throw new IOException(
                    "an answer could not be written: " + failed.get().getMessage(), failed.get());
        }
    }

    /** Waits until the job has taken in all that was written. */
    void awaitDigested() throws IOException {
        producer.flush();
        long deadline = System.nanoTime() + DIGESTED_MAX.toNanos();
        do {
            observer.poll(Duration.ofMillis(100));
            if (System.nanoTime() > deadline) {
                throw new IOException("the job has not digested everything within " + DIGESTED_MAX.toSeconds() + " s");
            }
        } while (!observer.accounting().settled());
    }

    /** Waits until workers can draft from all that was written: it is on topic admitted, though in no version yet. */
    void awaitHeard() throws IOException {
        producer.flush();
        long deadline = System.nanoTime() + HEARD_MAX.toNanos();
        while (!unheard.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> read : admitted.poll(Duration.ofMillis(20))) {
                unheard.remove(request(read.value()));
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("%d answers are not on topic admitted within %d s"
                        .formatted(unheard.size(), HEARD_MAX.toSeconds()));
            }
        }
    }

    private static RequestHash request(byte[] record) throws IOException {
        try {
            AdmittedAnswer answer = RecordCodec.ADMITTED_ANSWER.decode(record);
            return new RequestHash(answer.getRequestHigh(), answer.getRequestLow());
        } catch (UndecodableRecordException e) {
            throw new IOException("the job wrote a record that nobody can read", e);
        }
    }

    @Override
    public void close() {
        admitted.close();
        producer.close();
        observer.close();
        loop.close();
    }
}
