package io.tailrace.lab.bench.scale;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Made-up generations at a pace. Each lane has 400 phrases of eight tokens of its own, and its answers are made of them, with a new token in each phrase
 * now and then. Traffic is skewed: the first hundredth of the lanes gets a fifth of it, the first eighth a half.
 */
final class ScaleTraffic implements AutoCloseable {
    static final String MODEL = "scale";
    static final int VOCABULARY = 32_000;

    private static final int PROMPT_TOKENS = 24;
    private static final int PHRASES = 400;
    private static final int PHRASE_TOKENS = 8;
    private static final double NEW_TOKEN = 0.1;
    private static final double SKEW = 3;

    private final KafkaProducer<byte[], byte[]> producer;
    private final int responseTokens;
    private final SplittableRandom random = new SplittableRandom(20_261_125L);
    private final AtomicReference<Exception> failed = new AtomicReference<>();
    private long sent;

    ScaleTraffic(String bootstrap, int responseTokens) {
        this.responseTokens = responseTokens;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Records that were sent so far. */
    long sent() {
        return sent;
    }

    /** Sends one generation to each of the lanes {@code from..to}. */
    void one(int from, int to) throws IOException {
        for (int lane = from; lane < to; lane++) {
            send(lane);
        }
        flush();
    }

    /** Sends so many tokens to lane 0, as fast as they are taken. */
    void fill(long tokens) throws IOException {
        for (long told = 0; told < tokens; told += responseTokens) {
            send(0);
        }
        flush();
    }

    /** Sends so many generations a second to lanes {@code 0..lanes}, for some seconds. */
    void run(int lanes, int perSecond, int seconds) throws IOException, InterruptedException {
        long began = System.nanoTime();
        long total = (long) perSecond * seconds;
        for (long i = 0; i < total; i++) {
            long early = began + i * TimeUnit.SECONDS.toNanos(1) / perSecond - System.nanoTime();
            if (early > 1_000_000) {
                TimeUnit.NANOSECONDS.sleep(early);
            }
            send((int) (lanes * Math.pow(random.nextDouble(), SKEW)));
        }
        flush();
    }

    private void send(int lane) {
        String id = "scale-" + sent++;
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Generation generation = Generation.newBuilder()
                .setRequestId(id)
                .setLane(new Lane(MODEL, "1", "tenant-" + lane))
                .setProducer("bench")
                .setPrompt(TokenIds.toList(said(lane, PROMPT_TOKENS)))
                .setResponse(TokenIds.toList(said(lane, responseTokens)))
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
    }

    private int[] said(int lane, int count) {
        int[] tokens = new int[count];
        for (int at = 0; at < count; at += PHRASE_TOKENS) {
            SplittableRandom phrase = new SplittableRandom(((long) lane << 32) + random.nextInt(PHRASES));
            for (int i = at; i < Math.min(count, at + PHRASE_TOKENS); i++) {
                int token = phrase.nextInt(VOCABULARY);
                tokens[i] = random.nextDouble() < NEW_TOKEN / PHRASE_TOKENS ? random.nextInt(VOCABULARY) : token;
            }
        }
        return tokens;
    }

    private void flush() throws IOException {
        producer.flush();
        if (failed.get() != null) {
            throw new IOException("a generation could not be written: " + failed.get(), failed.get());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
