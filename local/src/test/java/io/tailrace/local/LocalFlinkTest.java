package io.tailrace.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class LocalFlinkTest {
    @Test
    void aMachineWhoseNameHasNoAddressIsToldWhatToDo() {
        CompletableFuture<Void> start =
                CompletableFuture.failedFuture(new UnknownHostException("vm: vm: Name or service not known"));
        assertThatThrownBy(() -> LocalFlink.await("starting the local Flink cluster", start))
                .hasMessage(
                        "starting the local Flink cluster failed: this machine's own name has no address"
                                + " (vm: vm: Name or service not known); add it to /etc/hosts, such as in a line '127.0.0.1 vm'");
    }
}
