package io.tailrace.lab.bench.scale;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Followers that fetch nothing: whatever one real follower says of itself on topic workers is said in the name of each of them, too. */
final class SaidFollowers implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Begins.
     *
     * @param echoed the real one's name
     * @param count how many there are besides
     */
    static SaidFollowers begin(String bootstrap, String echoed, int count) {
        SaidFollowers followers = new SaidFollowers(bootstrap, echoed, count);
        followers.thread.start();
        return followers;
    }

    private SaidFollowers(String bootstrap, String echoed, int count) {
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "group.id",
                        "said-followers-" + UUID.randomUUID(),
                        "auto.offset.reset",
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(List.of(Topic.WORKERS.name("")));
        this.thread = new Thread(() -> run(echoed, count), "said-followers");
        thread.setDaemon(true);
    }

    private void run(String echoed, int count) {
        while (!closing) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                WorkerStatus status = status(record);
                for (int i = 0; i < count && status.getWorker().equals(echoed); i++) {
                    send(status, i);
                }
            }
        }
        consumer.close();
        producer.close();
    }

    private static WorkerStatus status(ConsumerRecord<byte[], byte[]> record) {
        try {
            return RecordCodec.WORKER_STATUS.decode(record.value());
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException("nobody but these followers writes here", e);
        }
    }

    private void send(WorkerStatus status, int number) {
        WorkerStatus said =
                WorkerStatus.newBuilder(status).setWorker("said-" + number).build();
        String key = said.getWorker() + "#" + LaneId.of(said.getLane());
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(
                Topic.WORKERS.name(""), key.getBytes(StandardCharsets.UTF_8), RecordCodec.WORKER_STATUS.encode(said)));
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
