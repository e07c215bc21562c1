package io.tailrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaAccessTest {
    /** Less than Kafka's own clients would try for. */
    private static final Duration SAID_MAX = Duration.ofSeconds(45);

    @Test
    void clientPropertiesCannotBreakThePromises() {
        KafkaAccess access = new KafkaAccess(
                "localhost:1",
                "",
                Map.of("acks", "0", "enable.idempotence", "false", "isolation.level", "read_uncommitted"));
        assertThat(access.producerProperties("c"))
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true);
        assertThat(access.consumerProperties("c")).containsEntry("isolation.level", "read_committed");
        assertThat(new KafkaAccess("localhost:1", "", Map.of("security.protocol", "SSL")).consumerProperties("c"))
                .containsEntry("security.protocol", "SSL");
    }

    /** A port at which nobody listens, and nobody else can as long as it is held. */
    private static Socket heldPort() throws IOException {
        Socket held = new Socket();
        held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return held;
    }

    @Test
    void brokersThatAreAwayAreNamedWithinSeconds() throws IOException {
        try (Socket first = heldPort();
                Socket second = heldPort()) {
            String one = "127.0.0.1:" + first.getLocalPort();
            String other = "127.0.0.1:" + second.getLocalPort();
            long began = System.nanoTime();
            assertThat(KafkaAccess.of(one + "," + other).unreachable())
                    .hasValueSatisfying(why -> assertThat(why).contains("no Kafka broker answers", one, other));
            assertThatThrownBy(() -> KafkaAccess.of(one).requireReachable())
                    .isInstanceOf(UnreachableBrokersException.class)
                    .hasMessageContaining(one);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SAID_MAX);
        }
    }

    @Test
    void somebodyWhoListensAndIsNoBrokerIsNamedWithinSeconds() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            long began = System.nanoTime();
            assertThat(KafkaAccess.of(address).unreachable())
                    .hasValueSatisfying(why -> assertThat(why).contains("somebody listens at", address));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SAID_MAX);
        }
    }

    /** What it waits for at most; a busy machine has two of ten seconds for all the rest. */
    @Test
    void whereNobodySaysHowLongToWaitForAnAnswerItIsFiveSecondsAndEightInAll() {
        assertThat(BrokerLook.MILLIS_MAX).isLessThanOrEqualTo(8_000);
        requireWaits(Map.of(), 5_000);
        requireWaits(Map.of("request.timeout.ms", "60000"), 5_000);
        requireWaits(Map.of("default.api.timeout.ms", "2000"), 2_000);
    }

    private static void requireWaits(Map<String, String> given, int millis) {
        assertThat(new BrokerLook(new KafkaAccess("localhost:1", "", given)).properties())
                .containsEntry("request.timeout.ms", millis)
                .containsEntry("default.api.timeout.ms", millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", "127.0.0.1", "nowhere:", ":9092", "127.0.0.1:port", "127.0.0.1:-1"})
    void whatIsNoAddressIsSaid(String address) {
        assertThat(KafkaAccess.of(address).unreachable())
                .hasValueSatisfying(why -> assertThat(why).contains(address + " (not HOST:PORT)"));
    }
}
