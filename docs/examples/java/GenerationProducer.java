import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import java.time.Instant;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Feeds one generation to Tailrace: {@code GenerationProducer HOST:PORT [TOPIC]}. */
public final class GenerationProducer {
    private GenerationProducer() {}

    public static void main(String[] args) throws Exception {
        String topic = args.length > 1 ? args[1] : "generations";
        Generation generation = generation("java-example-1", Instant.now());
        try (KafkaProducer<String, byte[]> producer = producer(args[0])) {
            RecordMetadata written = producer.send(new ProducerRecord<>(
                            topic, generation.getRequestId(), RecordCodec.GENERATION.encode(generation)))
                    .get();
            System.out.printf("%s offset %d%n", written, written.offset());
        }
    }

    static Generation generation(String requestId, Instant completedAt) {
        return Generation.newBuilder()
                .setRequestId(requestId)
                .setLane(new Lane("meta-llama/Llama-3.1-8B-Instruct", "main", "acme"))
                .setProducer("gateway-7")
                .setPrompt(null) // or TokenIds.toList(promptIds)
                .setResponse(TokenIds.toList(new int[] {791, 4320, 374, 220, 2983, 13, 128009}))
                .setStartedAt(completedAt.minusMillis(500))
                .setCompletedAt(completedAt)
                .setTemperature(0f)
                .build();
    }

    private static KafkaProducer<String, byte[]> producer(String bootstrap) {
        Properties properties = new Properties();
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        return new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer());
    }
}
