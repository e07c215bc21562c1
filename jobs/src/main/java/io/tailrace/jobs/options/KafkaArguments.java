package io.tailrace.jobs.options;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Which Kafka, and how to be its client. */
public final class KafkaArguments {
    /** The broker's default upper limit of transaction timeouts. */
    public static final long TRANSACTION_TIMEOUT_MILLIS_MAX = 900_000;

    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT[,...]",
            description = "Kafka brokers to begin with.")
    String bootstrap;

    @Option(
            names = "--topic-prefix",
            defaultValue = "",
            paramLabel = "TEXT",
            description = "Put before every topic's name; keeps installations apart in one Kafka. Default: none.")
    String topicPrefix;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "Properties file for every Kafka client (TLS, SASL, ...).")
    Path clientConfig;

    @Option(
            names = "--client-property",
            paramLabel = "KEY=VALUE",
            description = "A property for every Kafka client; beats --client-config. Repeatable.")
    Map<String, String> clientProperties = new LinkedHashMap<>();

    @Option(
            names = "--group",
            defaultValue = "tailrace-index",
            paramLabel = "NAME",
            description = "Consumer group of the job. Default: ${DEFAULT-VALUE}.")
    String group;

    @Option(
            names = "--transactional-id-prefix",
            defaultValue = "tailrace-index",
            paramLabel = "TEXT",
            description = "Begins the ids of the job's transactions; one job, one prefix. Default: ${DEFAULT-VALUE}.")
    String transactionalIdPrefix;

    @Option(
            names = "--transaction-timeout-millis",
            defaultValue = "600000",
            paramLabel = "MILLIS",
            description =
                    "Longest time without the job after which its announcements are still committed; at most what "
                            + "the brokers allow (15 minutes). Default: ${DEFAULT-VALUE}.")
    long transactionTimeoutMillis;

    @Option(
            names = "--partition-discovery-millis",
            defaultValue = "10000",
            paramLabel = "MILLIS",
            description = "How often the sources look for new partitions. Default: ${DEFAULT-VALUE}.")
    long partitionDiscoveryMillis;

    void check() {
        require(!bootstrap.isBlank(), "--bootstrap must not be blank");
        require(!group.isBlank(), "--group must not be blank");
        require(!transactionalIdPrefix.isBlank(), "--transactional-id-prefix must not be blank");
        require(
                transactionTimeoutMillis >= 1_000 && transactionTimeoutMillis <= TRANSACTION_TIMEOUT_MILLIS_MAX,
                "--transaction-timeout-millis must be 1000 to %d, got %d",
                TRANSACTION_TIMEOUT_MILLIS_MAX,
                transactionTimeoutMillis);
        require(
                partitionDiscoveryMillis >= 100,
                "--partition-discovery-millis must be >= 100, got %d",
                partitionDiscoveryMillis);
        clientProperties();
    }

    /** Properties for any Kafka client: the file, then single properties, then the brokers. */
    public Properties clientProperties() {
        Properties properties = new Properties();
        if (clientConfig != null) {
            try (InputStream in = Files.newInputStream(clientConfig)) {
                properties.load(in);
            } catch (NoSuchFileException e) {
                throw new IllegalArgumentException("--client-config: there is no file " + clientConfig, e);
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "--client-config: cannot read %s: %s".formatted(clientConfig, e.getMessage()), e);
            }
        }
        properties.putAll(clientProperties);
        properties.put("bootstrap.servers", bootstrap);
        return properties;
    }

    public String topic(Topic topic) {
        return topic.name(topicPrefix);
    }

    public String bootstrap() {
        return bootstrap;
    }

    public String topicPrefix() {
        return topicPrefix;
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

    public long partitionDiscoveryMillis() {
        return partitionDiscoveryMillis;
    }
}
