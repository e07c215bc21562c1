package io.tailrace.jobs.kafka;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.SkippedRecords;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads topic control from its beginning to where it ends now. */
public final class KafkaControlHistory implements ControlCommand.History {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaControlHistory.class);
    /** Of this process: the topic is read again and again, and keeps what is on it for ever. */
    private static final SkippedRecords IGNORED = new SkippedRecords();

    private final Properties properties;
    private final String topic;
    private final TrustedKeys trusted;

    /**
     * The history on a topic.
     *
     * @param clientProperties with the brokers
     * @param topic its full name
     * @param trusted who may give commands
     */
    public KafkaControlHistory(Properties clientProperties, String topic, TrustedKeys trusted) {
        this.properties = clientProperties;
        this.topic = topic;
        this.trusted = trusted;
    }

    @Override
    public List<ControlCommand> read() throws IOException {
        List<ControlCommand> commands = new ArrayList<>();
        TopicContent.read(properties, topic, trusted, record -> decode(record, commands));
        return trusted.isNone() ? commands : firsts(commands);
    }

    /**
     * A signature stays good, so whoever may write to the topic can put a signed command behind the others once more. A claim brought back so
     * would count as the last one.
     */
    static List<ControlCommand> firsts(List<ControlCommand> commands) {
        Map<String, ControlCommand> firsts = new LinkedHashMap<>();
        commands.forEach(command -> firsts.putIfAbsent(command.commandId(), command));
        return List.copyOf(firsts.values());
    }

    /** Adds what a record says; one that cannot be read is left out. */
    static void decode(ConsumerRecord<byte[], byte[]> record, List<ControlCommand> commands) {
        try {
            commands.add(ControlCommand.decode(new RawRecord(
                    record.topic(), record.partition(), record.offset(), record.timestamp(), record.value())));
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            long untold = IGNORED.add(System.currentTimeMillis());
            if (untold > 0) {
                LOG.warn(
                        "control record at {}-{}@{} ignored, {} since the last such line: {}",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        untold,
                        e.getMessage());
            }
        }
    }
}
