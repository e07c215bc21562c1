package io.tailrace.e2e.serving;

import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A real broker in a process of its own, which comes back at the same address with the same data. */
public final class BrokerProcess implements AutoCloseable {
    private static final String READY = "the broker takes records";

    private final Path folder;
    private final int port;
    private JavaProcess process;
    private int starts;

    private BrokerProcess(Path folder) {
        this.folder = folder;
        this.port = LoopbackPorts.free(1)[0];
    }

    /** A broker with all topics. */
    public static BrokerProcess start(Path folder) throws IOException {
        BrokerProcess broker = new BrokerProcess(folder);
        broker.start();
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", broker.bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
        return broker;
    }

    /** Address for clients, {@code host:port}. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** Starts it again. */
    void start() throws IOException {
        process = JavaProcess.start(
                folder,
                "broker",
                "256m",
                List.of(),
                Main.class,
                List.of(folder.resolve("data").toString(), Integer.toString(port)));
        process.awaitWords(READY, starts++);
    }

    boolean alive() {
        return process.alive();
    }

    /** Ends it in order. */
    void stop() {
        process.terminate();
        process.awaitEnd();
    }

    /** SIGKILL. */
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    /** Of the child. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws IOException {
            EmbeddedBroker broker = EmbeddedBroker.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
            System.out.println(READY);
        }
    }
}
