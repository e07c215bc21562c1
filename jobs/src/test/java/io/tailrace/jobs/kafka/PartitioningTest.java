package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.schemas.signing.WriterKeys;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Who reads a lane's records alone looks for them where Kafka's own partitioner puts the lane's key. */
class PartitioningTest {
    @Test
    void aPartitionerThatIsConfiguredForClientsIsNotTheJobs() {
        IndexJobOptions options = IndexJobOptions.parse(
                "--bootstrap",
                "b:1",
                "--store",
                "file:///s",
                "--model",
                "m@1,vocabulary=9,tokenizer=t",
                "--client-property",
                "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner",
                "--client-property",
                "partitioner.ignore.keys=true",
                "--client-property",
                "linger.ms=7");
        Properties properties = new KafkaEnds(options.kafka(), WriterKeys.none()).producing();
        assertThat(properties).doesNotContainKeys("partitioner.class", "partitioner.ignore.keys");
        assertThat(properties).containsEntry("linger.ms", "7");
    }
}
