package io.tailrace.jobs.kafka;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.KeyFileException;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.WriterKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
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
    private final WriterKeys keys;

    /**
     * An installation.
     *
     * @param clientProperties with the brokers
     * @param controlTopic its full name
     * @param snapshotsTopic its full name
     * @param keys what the claim is signed with, and who else is believed
     */
    public KafkaInstallation(Properties clientProperties, String controlTopic, String snapshotsTopic, WriterKeys keys) {
        this.properties = clientProperties;
        this.controlTopic = controlTopic;
        this.snapshotsTopic = snapshotsTopic;
        this.keys = keys;
    }

    @Override
    public List<ControlCommand> commands() throws IOException {
        return new KafkaControlHistory(properties, controlTopic, keys.trusted()).read();
    }

    @Override
    public void say(Control ofAJob) throws IOException {
        Properties producing = new Properties();
        producing.putAll(properties);
        producing.put(ProducerConfig.ACKS_CONFIG, "all");
        byte[] key = ofAJob.getCommandId().getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(signed(key, RecordCodec.CONTROL.encode(ofAJob))).get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(
                    "this job could not write to topic %s that it claims its installation: %s; is Kafka well, and may the job write there?"
                            .formatted(controlTopic, e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while this job claimed its installation", e);
        }
    }

    private ProducerRecord<byte[], byte[]> signed(byte[] key, byte[] value) throws IOException {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(controlTopic, key, value);
        try {
            keys.signer()
                    .ifPresent(signer ->
                            record.headers().add(SignatureFormat.HEADER, signer.sign(controlTopic, key, value)));
            return record;
        } catch (KeyFileException e) {
            throw new IOException("this job's claim cannot be signed: " + e.getMessage(), e);
        }
    }

    @Override
    public OptionalLong announced() throws IOException {
        Map<ByteBuffer, Long> epochs = new HashMap<>();
        TopicContent.read(properties, snapshotsTopic, keys.trusted(), record -> {
            if (record.key() == null) {
                return;
            }
            ByteBuffer version = ByteBuffer.wrap(record.key());
            if (record.value() == null) {
                epochs.remove(version);
            } else {
                epochs.put(version, epoch(record.key(), record.value()));
            }
        });
        return epochs.values().stream().mapToLong(Long::longValue).max();
    }

    /** Of what readers would not take, 0. */
    static long epoch(byte[] key, byte[] value) {
        try {
            SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(value);
            SnapshotKey.of(manifest).require(key);
            long epoch = manifest.getEpoch();
            Epochs.check(epoch);
            return epoch;
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            return 0;
        }
    }
}
