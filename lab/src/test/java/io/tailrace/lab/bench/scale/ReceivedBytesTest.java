package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.Metrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReceivedBytesTest {
    /** As Kafka's consumers show what they count. */
    private final Metrics metrics = new Metrics();

    ReceivedBytesTest() {
        JmxReporter reporter = new JmxReporter();
        reporter.contextChange(new KafkaMetricsContext("kafka.consumer"));
        metrics.addReporter(reporter);
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    private void show(String group, String clientId, String name, double value) {
        Measurable measured = (config, now) -> value;
        metrics.addMetric(metrics.metricName(name, group, Map.of("client-id", clientId)), measured);
    }

    @Test
    void thoseOfTheNameAreAddedUpAndNoOthers() throws Exception {
        show("consumer-metrics", "counted-0-snapshots", "incoming-byte-total", 1_000);
        show("consumer-metrics", "counted-0-snapshots", "outgoing-byte-total", 60);
        show("consumer-metrics", "counted-1-snapshots", "incoming-byte-total", 200);
        show("consumer-metrics", "observer", "incoming-byte-total", 40_000);
        show("consumer-node-metrics", "counted-0-snapshots", "incoming-byte-total", 5_000_000);
        assertThat(ReceivedBytes.ofConsumers("counted-")).isEqualTo(1_200);
    }

    @Test
    void whereNobodyFollowsNothingIsReceived() throws Exception {
        assertThat(ReceivedBytes.ofConsumers("counted-")).isZero();
    }
}
