package io.tailrace.terminal;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which Kafka, and how to be its client. */
@Command(optionListHeading = "Kafka")
public final class BrokerOptions {
    @Option(
            names = "--bootstrap",
            converter = BrokerAddresses.class,
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to begin with, separated by commas.")
    private String bootstrap;

    @Mixin
    private Clients clients = new Clients();

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

    /** Settings of a command's Kafka clients. */
    public static final class Clients {
        @Option(
                names = "--client-config",
                converter = PropertiesFileConverter.class,
                paramLabel = "FILE",
                description = "Properties file for every Kafka client: TLS, SASL, time limits.")
        private PropertiesFile clientConfig = new PropertiesFile(new Properties());

        @Option(
                names = "--client-property",
                hidden = true,
                paramLabel = "KEY=VALUE",
                description = "One property for every Kafka client; repeatable, wins over --client-config.")
        private Map<String, String> clientProperties = new LinkedHashMap<>();

        @Option(
                names = "--topic-prefix",
                defaultValue = "",
                paramLabel = "TEXT",
                description =
                        "Stands before every topic's name; keeps installations apart in one Kafka. Default: none.")
        private String topicPrefix;

        /** Not plain properties, which picocli would read from the command line as KEY=VALUE. */
        private record PropertiesFile(Properties properties) {}

        private static final class PropertiesFileConverter implements ITypeConverter<PropertiesFile> {
            @Override
            public PropertiesFile convert(String file) {
                Properties properties = new Properties();
                try (Reader in = Files.newBufferedReader(Path.of(file))) {
                    properties.load(in);
                    return new PropertiesFile(properties);
                } catch (NoSuchFileException e) {
                    throw new TypeConversionException("there is no file " + file);
                } catch (IOException | IllegalArgumentException e) {
                    throw new TypeConversionException(file + " is no readable properties file: " + e.getMessage());
                }
            }
        }

        public String topicPrefix() {
            return topicPrefix;
        }

        /** Client settings without the brokers' addresses: those of the file, then single ones. */
        public Map<String, String> settings() {
            Map<String, String> settings = new LinkedHashMap<>();
            Properties file = clientConfig.properties();
            file.stringPropertyNames().forEach(key -> settings.put(key, file.getProperty(key)));
            settings.putAll(clientProperties);
            return settings;
        }
    }
}
