package io.tailrace.cli.terminal;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Settings of a command's Kafka clients. */
public final class KafkaClientOptions {
    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "Properties file for every Kafka client: TLS, SASL, time limits.")
    private Path clientConfig;

    @Option(
            names = "--client-property",
            paramLabel = "KEY=VALUE",
            description = "One property for every Kafka client; repeatable, wins over --client-config.")
    private Map<String, String> clientProperties = new LinkedHashMap<>();

    @Option(
            names = "--topic-prefix",
            defaultValue = "",
            paramLabel = "PREFIX",
            description = "Stands before every topic's name; keeps installations apart. Default: none.")
    private String topicPrefix;

    public String topicPrefix() {
        return topicPrefix;
    }

    /** Client settings without the bootstrap address. */
    public Map<String, String> clientSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (clientConfig != null) {
            Properties properties = read(clientConfig);
            properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
        }
        settings.putAll(clientProperties);
        return settings;
    }

    private static Properties read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return properties;
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInputException(
                    "--client-config " + file + ": it is no readable properties file: " + e.getMessage(), e);
        }
    }
}
