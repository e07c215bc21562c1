package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.monitoring.Listening;
import io.tailrace.worker.model.LetterTokenizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ListeningTest {
    private static final String HOST = "127.0.0.1";

    @Test
    void aTakenPortIsNamedWithItsHostAndWhatToDo() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            assertThatThrownBy(() -> ServingEndpoint.start(at(HOST, port), new DeafBackend(new LetterTokenizer())))
                    .isInstanceOf(Listening.CannotListenException.class)
                    .hasMessageContainingAll(HOST, "port " + port, "in use", "give another", "port 0");
        }
    }

    @Test
    void anAddressThatIsNotThisMachinesIsNamedToo() {
        assertThatThrownBy(() -> ServingEndpoint.start(at("192.0.2.1", 0), new DeafBackend(new LetterTokenizer())))
                .isInstanceOf(Listening.CannotListenException.class)
                .hasMessageContaining("192.0.2.1");
    }

    @Test
    void aServerThatCannotListenLeavesNoThreads() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int before = Thread.activeCount();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> ServingEndpoint.start(
                                at(HOST, other.getLocalPort()), new DeafBackend(new LetterTokenizer())))
                        .isInstanceOf(Listening.CannotListenException.class);
            }
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Thread.activeCount() < before + 5);
        }
    }

    private static EndpointOptions at(String host, int port) {
        return new EndpointOptions(host, port, 1_000, 2, "default", null, Map.of());
    }
}
