package io.tailrace.client;

import static org.assertj.core.api.Assertions.assertThat;

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
}
