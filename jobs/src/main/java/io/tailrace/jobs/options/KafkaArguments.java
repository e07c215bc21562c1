package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.KeyFileException;
import io.tailrace.schemas.signing.WriterKeys;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.KeyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which Kafka, and how the job is its client. */
@Command(optionListHeading = "Kafka")
public final class KafkaArguments {
    /** The broker's default upper limit of transaction timeouts. */
    public static final long TRANSACTION_TIMEOUT_MILLIS_MAX = 900_000;

    @Mixin
    BrokerOptions brokers = new BrokerOptions();

    @Mixin
    KeyOptions.Signing signing = new KeyOptions.Signing();

    @Mixin
    KeyOptions.Trusted trusted = new KeyOptions.Trusted();

    @Option(
            names = "--bound-topics",
            paramLabel = "NAME=SCOPE[,SCOPE...]",
            description =
                    "Read topics generations-NAME and outcomes-NAME, too: they alone bring these scopes, and no others; * stands for any "
                            + "characters. Repeatable. Default: topics generations and outcomes bring every scope.")
    List<String> boundTopics = new ArrayList<>();

    @Option(
            names = "--group",
            hidden = true,
            defaultValue = "tailrace-index",
            paramLabel = "NAME",
            description = "Consumer group of the job. Default: ${DEFAULT-VALUE}.")
    String group;

    @Option(
            names = "--transactional-id-prefix",
            hidden = true,
            defaultValue = "tailrace-index",
            paramLabel = "TEXT",
            description = "Begins the ids of the job's transactions; one job, one prefix. Default: ${DEFAULT-VALUE}.")
    String transactionalIdPrefix;

    @Bounds(min = 1_000, max = TRANSACTION_TIMEOUT_MILLIS_MAX)
    @Option(
            names = "--transaction-timeout-millis",
            hidden = true,
            defaultValue = "600000",
            paramLabel = "MILLIS",
            description =
                    "Longest time without the job after which its announcements are still committed; at most what "
                            + "the brokers allow (15 minutes). Default: ${DEFAULT-VALUE}.")
    long transactionTimeoutMillis;

    @Bounds(min = 100)
    @Option(
            names = "--partition-discovery-millis",
            hidden = true,
            defaultValue = "10000",
            paramLabel = "MILLIS",
            description = "How often the sources look for new partitions. Default: ${DEFAULT-VALUE}.")
    long partitionDiscoveryMillis;

    @Option(
            names = "--generations-mirrored",
            hidden = true,
            description =
                    "Where the state is of another Kafka: topic generations is a mirror of the one there, so go on half of "
                            + "--duplicate-horizon-seconds before what was read last. Default: begin where the topic does.")
    boolean generationsMirrored;

    void check() {
        require(!group.isBlank(), "--group must not be blank");
        require(!transactionalIdPrefix.isBlank(), "--transactional-id-prefix must not be blank");
        boundTopics(Topic.GENERATIONS);
        keys();
    }

    /** Where generations come from, or outcomes. */
    public BoundTopics boundTopics(Topic topic) {
        String everybodys = topic(topic);
        return new BoundTopics(
                everybodys,
                boundTopics.stream()
                        .map(text -> BoundTopics.Bound.parse(text, everybodys))
                        .toList());
    }

    /**
     * What the job signs with and whom it trusts, their files read now.
     *
     * @throws KeyFileException if a file is none, or they do not go together
     */
    public WriterKeys keys() {
        return WriterKeys.read(signing.file(), trusted.files());
    }

    /** Which brokers, and how to reach them. */
    public BrokerOptions brokers() {
        return brokers;
    }

    /** Properties for any Kafka client: the file, then single properties, then the brokers. */
    public Properties clientProperties() {
        Properties properties = new Properties();
        properties.putAll(brokers.connection());
        return properties;
    }

    public String topic(Topic topic) {
        return topic.name(topicPrefix());
    }

    public String bootstrap() {
        return brokers.bootstrap();
    }

    public String topicPrefix() {
        return brokers.topicPrefix();
    }

    public String group() {
        return group;
    }

    public String transactionalIdPrefix() {
        return transactionalIdPrefix;
    }

    public long transactionTimeoutMillis() {
        return transactionTimeoutMillis;
    }

    /** True if topic generations holds what the topic had that the state was read from. */
    boolean generationsMirrored() {
        return generationsMirrored;
    }

    public long partitionDiscoveryMillis() {
        return partitionDiscoveryMillis;
    }
}
