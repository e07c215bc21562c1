package io.tailrace.cli.terminal;

import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command reaches Kafka. */
public final class KafkaOptions {
    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas.")
    private String bootstrap;

    @Mixin
    private KafkaClientOptions clients;

    public String bootstrap() {
        return bootstrap;
    }

    public String topicPrefix() {
        return clients.topicPrefix();
    }

    /** Client settings without the bootstrap address. */
    public Map<String, String> clientSettings() {
        return clients.clientSettings();
    }

    /** Client settings with the bootstrap address. */
    public Map<String, String> connection() {
        Map<String, String> settings = clientSettings();
        settings.put("bootstrap.servers", bootstrap);
        return settings;
    }
}
