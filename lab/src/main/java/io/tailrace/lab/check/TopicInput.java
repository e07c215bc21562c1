package io.tailrace.lab.check;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.client.KafkaAccess;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.AdmissionCheck;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerAddresses;
import io.tailrace.terminal.BrokerOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The records of a topic, as they lie there. */
@Command(optionListHeading = "Kafka")
final class TopicInput {
    @Option(
            names = "--bootstrap",
            converter = BrokerAddresses.class,
            paramLabel = "HOST:PORT",
            description =
                    "Kafka brokers to begin with, separated by commas: checks the records of a topic. Default: none, checks --input.")
    private String bootstrap;

    @Mixin
    private BrokerOptions.Clients clients = new BrokerOptions.Clients();

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description =
                    "With --bootstrap: full name of the topic, such as one that is bound to scopes. Default: generations, behind --topic-prefix.")
    private String topic;

    @Bounds(min = 1)
    @Option(
            names = "--records",
            paramLabel = "N",
            description = "With --bootstrap: only the last N records of each partition. Default: all.")
    private Long recordsMax;

    boolean isGiven() {
        return bootstrap != null;
    }

    /** True if something is said that only a topic has. */
    boolean isSpokenOf() {
        return topic != null || recordsMax != null;
    }

    /** Full name of the topic. */
    String name() {
        return topic == null ? Topic.GENERATIONS.name(clients.topicPrefix()) : topic;
    }

    /** Reads to where the topic ends now. Whether a record came early or late is judged by when the brokers took it. */
    Refusals check(AdmissionCheck rules) {
        Refusals refusals = new Refusals();
        KafkaAccess brokers = new KafkaAccess(bootstrap, clients.topicPrefix(), clients.settings());
        try (LoopTopics topics = new LoopTopics(brokers, TrustedKeys.none())) {
            topics.beginAtLast(name(), recordsMax == null ? Long.MAX_VALUE : recordsMax);
            topics.readToEnds(record -> refusals.add(rules.judge(raw(record), record.timestamp())), Long.MAX_VALUE);
        }
        return refusals;
    }

    private static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
        return new RawRecord(record.topic(), record.partition(), record.offset(), record.timestamp(), record.value());
    }
}
