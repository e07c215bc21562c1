package io.tailrace.cli.terminal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/** Whether Kafka answers, asked before a command begins: its clients would try for a minute without a word. */
public final class Brokers {
    private static final int ANSWER_MILLIS_MAX = 10_000;
    /** How long a client may take for a call, where it is set. */
    private static final String CALL_MILLIS_MAX = AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG;

    private Brokers() {}

    /** Throws {@link BadInputException} with the address if no broker answers to these client settings in time. */
    public static void require(Map<String, String> connection) {
        try {
            Map<String, Object> settings = new HashMap<>(connection);
            settings.putIfAbsent(CALL_MILLIS_MAX, ANSWER_MILLIS_MAX);
            settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, settings.get(CALL_MILLIS_MAX));
            ask(settings);
        } catch (KafkaException e) {
            throw new BadInputException(
                    "these client settings do not work: " + innermost(e).getMessage(), e);
        } catch (ExecutionException e) {
            throw silent(connection, innermost(e).getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw silent(connection, "interrupted while waiting", e);
        }
    }

    private static void ask(Map<String, Object> settings) throws ExecutionException, InterruptedException {
        Admin admin = Admin.create(settings);
        try {
            admin.describeCluster().nodes().get();
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private static BadInputException silent(Map<String, String> connection, String why, Exception cause) {
        return new BadInputException(
                "no Kafka broker answers at %s: %s; start it, correct --bootstrap, or give what it asks for (TLS, SASL) by --client-config"
                        .formatted(connection.get("bootstrap.servers"), why),
                cause);
    }

    private static Throwable innermost(Throwable failure) {
        return failure.getCause() == null ? failure : innermost(failure.getCause());
    }
}
