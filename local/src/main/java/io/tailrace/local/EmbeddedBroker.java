package io.tailrace.local;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A real Kafka broker (KRaft, one node) in this process, on loopback ports of its own, with its data in a given folder.
 * Transactions, compaction and consumer groups work as on a cluster; it is up in about four seconds. A folder that already
 * holds a broker's data is taken up again.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final int NODE_ID = 1;
    private static final String CONTROLLER_LISTENER = "CONTROLLER";

    private final KafkaRaftServer server;
    private final String bootstrap;

    private EmbeddedBroker(KafkaRaftServer server, String bootstrap) {
        this.server = server;
        this.bootstrap = bootstrap;
    }

    /** Starts a broker on free ports. */
    public static EmbeddedBroker start(Path folder) throws IOException {
        return start(folder, LoopbackPorts.free(1)[0]);
    }

    /** Starts a broker that listens on {@code port}: clients of an earlier run on the same folder find it again. */
    public static EmbeddedBroker start(Path folder, int port) throws IOException {
        return start(folder, port, List.of());
    }

    /** The same with further listeners, whose clients are sent to other ports than the broker listens on. */
    public static EmbeddedBroker start(Path folder, int port, List<Listener> listeners) throws IOException {
        return start(folder, port, listeners, Map.of());
    }

    /** The same with further settings of the broker, such as what its listeners ask of clients. */
    public static EmbeddedBroker start(Path folder, int port, List<Listener> listeners, Map<String, String> settings)
            throws IOException {
        int controllerPort = LoopbackPorts.free(1)[0];
        Path data = Files.createDirectories(folder).toAbsolutePath();
        format(data);
        Properties properties = settings(data, port, controllerPort, listeners);
        properties.putAll(settings);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
        return new EmbeddedBroker(server, "127.0.0.1:" + port);
    }

    /** Address for clients, {@code host:port}. */
    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static void format(Path data) throws IOException {
        if (Files.exists(data.resolve("meta.properties"))) {
            return;
        }
        try {
            new Formatter()
                    .setPrintStream(new PrintStream(PrintStream.nullOutputStream()))
                    .setNodeId(NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setControllerListenerName(CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(data.toString())
                    .addDirectory(data.toString())
                    .run();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(
                    "the broker's folder " + data + " could not be formatted; delete it and start again", e);
        }
    }

    private static Properties settings(Path data, int port, int controllerPort, List<Listener> further) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", NODE_ID);
        settings.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
        List<Listener> clients = new ArrayList<>(further);
        clients.add(0, new Listener("CLIENT", port, port));
        settings.put(
                "listeners",
                joined(clients, listener -> listener.name() + "://127.0.0.1:" + listener.port())
                        + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put(
                "advertised.listeners",
                joined(clients, listener -> listener.name() + "://127.0.0.1:" + listener.advertisedPort()));
        settings.put(
                "listener.security.protocol.map",
                joined(clients, listener -> listener.name() + ":" + listener.protocol()) + ",CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "CLIENT");
        settings.put("controller.listener.names", CONTROLLER_LISTENER);
        settings.put("log.dirs", data);
        settings.put("auto.create.topics.enable", false);
        settings.put("group.initial.rebalance.delay.ms", 0);
        oneReplica(settings);
        fewThreads(settings);
        Properties properties = new Properties();
        settings.forEach((key, value) -> properties.put(key, value.toString()));
        return properties;
    }

    private static String joined(List<Listener> listeners, Function<Listener, String> part) {
        return listeners.stream().map(part).collect(Collectors.joining(","));
    }

    private static void oneReplica(Map<String, Object> settings) {
        for (String topic : new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            settings.put(topic + ".replication.factor", 1);
            settings.put(topic + ".num.partitions", 1);
        }
        settings.put("transaction.state.log.min.isr", 1);
        settings.put("share.coordinator.state.topic.min.isr", 1);
        settings.put("default.replication.factor", 1);
        settings.put("min.insync.replicas", 1);
    }

    private static void fewThreads(Map<String, Object> settings) {
        settings.put("num.network.threads", 1);
        settings.put("num.io.threads", 2);
        settings.put("background.threads", 1);
        settings.put("num.replica.fetchers", 1);
        settings.put("num.recovery.threads.per.data.dir", 1);
        settings.put("log.cleaner.threads", 1);
        settings.put("log.cleaner.dedupe.buffer.size", 4 << 20);
    }

    /**
     * One more door of the broker.
     *
     * @param name upper-case letters
     * @param port where it listens, on loopback
     * @param advertisedPort where its clients are told to go, such as that of a proxy before it
     * @param protocol Kafka's security protocol
     */
    public record Listener(String name, int port, int advertisedPort, String protocol) {
        /** A door that asks for nothing. */
        public Listener(String name, int port, int advertisedPort) {
            this(name, port, advertisedPort, "PLAINTEXT");
        }
    }
}
