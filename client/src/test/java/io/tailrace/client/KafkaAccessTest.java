package io.tailrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaAccessTest {
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

    /** A port at which nobody listens. */
    private static int freePort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return taken.getLocalPort();
        }
    }

    @Test
    void brokersThatAreAwayAreNamedWithinSeconds() throws IOException {
        String one = "127.0.0.1:" + freePort();
        String other = "127.0.0.1:" + freePort();
        long began = System.nanoTime();
        assertThat(KafkaAccess.of(one + "," + other).unreachable())
                .hasValueSatisfying(why -> assertThat(why).contains("no Kafka broker answers", one, other));
        assertThatThrownBy(() -> KafkaAccess.of(one).requireReachable())
                .isInstanceOf(UnreachableBrokersException.class)
                .hasMessageContaining(one);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(KafkaAccess.LOOK_TIME_MAX.multipliedBy(2));
    }

    @Test
    void somebodyWhoListensAndIsNoBrokerIsNamedWithinSeconds() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            long began = System.nanoTime();
            assertThat(KafkaAccess.of(address).unreachable())
                    .hasValueSatisfying(why -> assertThat(why).contains("somebody listens at", address));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void whatIsNoAddressIsSaid() {
        assertThat(KafkaAccess.of("nowhere").unreachable())
                .hasValueSatisfying(why -> assertThat(why).contains("nowhere"));
    }
}
