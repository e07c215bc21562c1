package io.tailrace.jobs.options;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which Kafka, and how to be its client. */
@Command(optionListHeading = "Kafka")
public final class BrokerOptions {
    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas.")
    private String bootstrap;

    @Mixin
    private KafkaClientOptions clients = new KafkaClientOptions();

    public String bootstrap() {
        return bootstrap;
    }

    public String topicPrefix() {
        return clients.topicPrefix();
    }

    /** Client settings without the brokers' addresses. */
    public Map<String, String> clientSettings() {
        return clients.settings();
    }

    /** Client settings with the brokers' addresses. */
    public Map<String, String> connection() {
        Map<String, String> settings = clientSettings();
        settings.put("bootstrap.servers", bootstrap);
        return settings;
    }
}
