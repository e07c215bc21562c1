package io.tailrace.lab.bench.engine;

import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.local.LocalLoop;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A loop in this process, and in place of the fleet's other replicas what they would have written: their answers, as they give them. */
final class OtherReplicas implements Closeable {
    private static final Duration DIGESTED_MAX = Duration.ofMinutes(2);

    private final ModelCatalog.Model model;
    private final LocalLoop loop;
    private final LoopObserver observer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<Exception> failed = new AtomicReference<>();
    private long written;

    private OtherReplicas(ModelCatalog.Model model, LocalLoop loop) {
        this.model = model;
        this.loop = loop;
        this.observer = LoopObserver.of(loop.bootstrap());
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", loop.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
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

    @Override
    public void close() {
        producer.close();
        observer.close();
        loop.close();
    }
}
