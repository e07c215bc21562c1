package io.tailrace.jobs.kafka;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The installation whose topics are named by a prefix. */
public final class KafkaInstallation implements Installation {
    private static final long serialVersionUID = 1L;
    private static final long SECONDS_MAX = 30;

    private final Properties properties;
    private final String controlTopic;
    private final String snapshotsTopic;

    /** @param clientProperties with the brokers */
    public KafkaInstallation(Properties clientProperties, String controlTopic, String snapshotsTopic) {
        this.properties = clientProperties;
        this.controlTopic = controlTopic;
        this.snapshotsTopic = snapshotsTopic;
    }

    @Override
    public List<ControlCommand> commands() throws IOException {
        return new KafkaControlHistory(properties, controlTopic).read();
    }

    @Override
    public void claim(Control claim) throws IOException {
        Properties producing = new Properties();
        producing.putAll(properties);
        producing.put(ProducerConfig.ACKS_CONFIG, "all");
        byte[] key = claim.getCommandId().getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(controlTopic, key, RecordCodec.CONTROL.encode(claim)))
                    .get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(
                    "this job could not put its claim on topic %s: %s; is Kafka well, and may the job write there?"
                            .formatted(controlTopic, e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while this job's claim was written", e);
        }
    }

    @Override
    public boolean announces() throws IOException {
        Set<ByteBuffer> announced = new HashSet<>();
        TopicContent.read(properties, snapshotsTopic, record -> {
            if (record.key() == null) {
                return;
            }
            if (record.value() == null) {
                announced.remove(ByteBuffer.wrap(record.key()));
            } else {
                announced.add(ByteBuffer.wrap(record.key()));
            }
        });
        return !announced.isEmpty();
    }
}
