package io.tailrace.operators.publishing;

import static io.tailrace.operators.publishing.PublisherBench.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far into each partition a version reaches, by its manifest. */
final class SourceOffsetsTest {
    @TempDir
    Path folder;

    private PublisherBench bench;
    private int requests;

    @BeforeEach
    void open() throws Exception {
        bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    /** One that the brokers took then. */
    private AdmittedGeneration taken(int partition, long offset, long arrivedAt) {
        AdmittedGeneration of = Samples.generation("r" + requests++, START, requests, 1, 2);
        return new AdmittedGeneration(
                of.lane(),
                of.shard(),
                of.requestHigh(),
                of.requestLow(),
                of.producer(),
                of.completedAt(),
                arrivedAt,
                of.promptTail(),
                of.signature(),
                of.copied(),
                of.tokens(),
                partition,
                offset);
    }

    private List<SourceOffset> announced() throws Exception {
        bench.advance(2_000);
        List<SnapshotManifest> manifests = bench.manifests();
        return manifests.get(manifests.size() - 1).getSourceOffsets();
    }

    @Test
    void aVersionSaysTheNewestRecordOfEachPartitionWhicheverComesFirst() throws Exception {
        bench.arrive(0, taken(0, 7, START + 70), taken(1, 3, START + 30), taken(0, 5, START + 50));
        assertThat(announced()).containsExactly(new SourceOffset(0, 7L), new SourceOffset(1, 3L));
    }

    /** After a move to another Kafka, or where the topic was made anew, offsets begin anew. */
    @Test
    void theOffsetsOfATopicThatWasLeftGiveWayToThoseOfTheNext() throws Exception {
        bench.arrive(0, taken(0, 1_000, START), taken(1, 2_000, START));
        assertThat(announced()).containsExactly(new SourceOffset(0, 1_000L), new SourceOffset(1, 2_000L));
        bench.restore(bench.checkpoint());
        bench.arrive(0, taken(0, 3, bench.now()));
        assertThat(announced()).containsExactly(new SourceOffset(0, 3L), new SourceOffset(1, 2_000L));
        bench.arrive(0, taken(0, 4, bench.now()));
        assertThat(announced()).containsExactly(new SourceOffset(0, 4L), new SourceOffset(1, 2_000L));
    }

    /** What a broker took by a clock that was ahead must not hold back what it takes once that is put right. */
    @Test
    void offsetsRiseAlsoWhereABrokersClockIsSetBack() throws Exception {
        bench.arrive(0, taken(0, 7, START + Duration.ofHours(1).toMillis()));
        assertThat(announced()).containsExactly(new SourceOffset(0, 7L));
        bench.arrive(0, taken(0, 8, bench.now()));
        assertThat(announced()).containsExactly(new SourceOffset(0, 8L));
    }
}
