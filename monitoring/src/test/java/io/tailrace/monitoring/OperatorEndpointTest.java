package io.tailrace.monitoring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class OperatorEndpointTest {
    @Test
    void aTakenPortIsNamedWithItsHostAndWhatToDo() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            assertThatThrownBy(
                            () -> OperatorEndpoint.start("127.0.0.1", port, () -> "", () -> "", () -> true, () -> true))
                    .isInstanceOf(Listening.CannotListenException.class)
                    .hasMessageContainingAll("127.0.0.1", "port " + port, "in use", "give another");
        }
    }
}
