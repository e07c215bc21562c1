package io.tailrace.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/**
 * Whether a broker answers, found out within a stated time. Kafka's clients try again and again and say at last that a time is over; a plain
 * connection says at once that nobody listens, or that there is no such host. Where one is made, a broker is asked for its cluster.
 */
final class BrokerLook {
    private static final int CONNECT_MILLIS_MAX = 2_000;
    private static final int ANSWER_MILLIS_MAX = 5_000;
    /** Kafka's client says that its time is over; where it does not, nobody waits for it longer. */
    private static final int LATE_MILLIS_MAX = 1_000;
    /** In all, unless a property says how long to wait for an answer. */
    static final int MILLIS_MAX = CONNECT_MILLIS_MAX + ANSWER_MILLIS_MAX + LATE_MILLIS_MAX;

    private final KafkaAccess access;
    private final int answerMillisMax;

    BrokerLook(KafkaAccess access) {
        this.access = access;
        this.answerMillisMax = Integer.parseInt(access.clientProperties()
                .getOrDefault(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Integer.toString(ANSWER_MILLIS_MAX)));
    }

    /** Why not; empty: one answers. */
    Optional<String> unreachable() {
        List<String> troubles = new ArrayList<>();
        String[] addresses = access.bootstrap().split(",", -1);
        int each = Math.max(1, CONNECT_MILLIS_MAX / addresses.length);
        for (String address : addresses) {
            Optional<String> trouble = trouble(address.strip(), each);
            if (trouble.isEmpty()) {
                return silent();
            }
            troubles.add(trouble.get());
        }
        return Optional.of("no Kafka broker answers at %s; start it, or correct --bootstrap"
                .formatted(String.join(", ", troubles)));
    }

    private static Optional<String> trouble(String address, int millisMax) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        if (colon <= 0 || !port.matches("\\d{1,9}")) {
            return Optional.of(address + " (not HOST:PORT)");
        }
        try (Socket socket = new Socket()) {
            InetSocketAddress broker = new InetSocketAddress(host(address.substring(0, colon)), Integer.parseInt(port));
            if (broker.isUnresolved()) {
                return Optional.of(address + " (no such host)");
            }
            socket.connect(broker, millisMax);
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(address + " (" + e.getMessage() + ")");
        }
    }

    /** An IPv6 address stands in brackets. */
    private static String host(String text) {
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    /** Somebody listens: does a broker answer, to whom we say who we are? */
    private Optional<String> silent() {
        try {
            return answer(Admin.create(properties()));
        } catch (KafkaException e) {
            return Optional.of(refused(e));
        }
    }

    private Optional<String> answer(Admin admin) {
        try {
            admin.describeCluster(new DescribeClusterOptions().timeoutMs(answerMillisMax))
                    .clusterId()
                    .get((long) answerMillisMax + LATE_MILLIS_MAX, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(refused(e.getCause()));
        } catch (TimeoutException e) {
            return Optional.of(refused(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(refused(e));
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private String refused(Throwable why) {
        return "somebody listens at %s, but no Kafka broker answers within %d ms: %s; start it, correct --bootstrap, or give what it asks for (TLS, SASL) by --client-config"
                .formatted(access.bootstrap(), answerMillisMax, words(why));
    }

    private static String words(Throwable why) {
        return why.getMessage() == null ? "nothing came" : why.getMessage();
    }

    /** What Kafka's client is told: it waits for an answer as long as this does. */
    Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(access.clientProperties());
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, access.bootstrap());
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, "reachable");
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, answerMillisMax);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, answerMillisMax);
        return properties;
    }
}
