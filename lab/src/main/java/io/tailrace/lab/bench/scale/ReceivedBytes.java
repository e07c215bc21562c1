package io.tailrace.lab.bench.scale;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What Kafka's consumers of this process have received, by their own count: records, and what comes with them. */
final class ReceivedBytes {
    private static final String TOTAL = "incoming-byte-total";

    private ReceivedBytes() {}

    /** Bytes of all consumers there are now whose client id begins so. */
    static long ofConsumers(String clientIdPrefix) throws IOException {
        MBeanServer metrics = ManagementFactory.getPlatformMBeanServer();
        try {
            long bytes = 0;
            for (ObjectName consumer : metrics.queryNames(
                    new ObjectName("kafka.consumer:type=consumer-metrics,client-id=" + clientIdPrefix + "*"), null)) {
                bytes += ((Number) metrics.getAttribute(consumer, TOTAL)).longValue();
            }
            return bytes;
        } catch (JMException e) {
            throw new IOException("consumers " + clientIdPrefix + "* do not tell what they have received", e);
        }
    }
}
