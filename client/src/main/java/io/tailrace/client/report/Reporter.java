package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.WorkerStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;

/** Where a worker's reports go. Safe for any number of threads. */
public interface Reporter extends AutoCloseable {
    /** Smallest bound of a spool that makes sense. */
    long SPOOL_BYTES_MIN = Spool.BYTES_MIN;

    void generation(Generation generation);

    void outcome(Outcome outcome);

    void status(WorkerStatus status);

    /** Records that were given up. */
    long failures();

    /** False if records no longer leave, and will not until the worker is started again. */
    boolean live();

    /** What waits on disk; empty where nothing is kept there. */
    Optional<SpoolState> spool();

    /** Sends what is buffered, then closes. */
    @Override
    void close();

    /** For a worker on its own: there is nobody to tell. */
    static Reporter none() {
        return new Reporter() {
            @Override
            public void generation(Generation generation) {
                // Nobody to tell.
            }

            @Override
            public void outcome(Outcome outcome) {
                // Nobody to tell.
            }

            @Override
            public void status(WorkerStatus status) {
                // Nobody to tell.
            }

            @Override
            public long failures() {
                return 0;
            }

            @Override
            public boolean live() {
                return true;
            }

            @Override
            public Optional<SpoolState> spool() {
                return Optional.empty();
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
    }

    /**
     * Reports that wait in memory until Kafka has them.
     *
     * @param producer makes the producer when there is something to send, again and again while that throws a KafkaException; closed with this
     */
    static Reporter buffered(Supplier<Producer<byte[], byte[]>> producer, ReportTopics topics) {
        return new KafkaReporter(new LateProducer(producer), topics);
    }

    /**
     * Reports that wait on disk until Kafka has them: they outlive a broker that is away, and a worker that is killed. While the disk takes
     * nothing, up to 16 MiB of them wait in memory, which a kill loses. A lane's status, which is worthless when late, goes to Kafka directly.
     *
     * @param worker names the thread that sends
     * @param folder each worker its own; made if it is not there, and what an earlier process left is taken up
     * @param bytesMax bound of the folder, at least {@link #SPOOL_BYTES_MIN}; the oldest reports go first
     * @param producer makes the producer when there is something to send, again and again while that throws a KafkaException; closed with this
     * @param drainTimeMax how long {@link #close} goes on sending; the rest stays on disk
     * @throws IOException if the folder cannot be used, or another worker does
     */
    static Reporter spooled(
            String worker,
            Path folder,
            long bytesMax,
            Supplier<Producer<byte[], byte[]>> producer,
            ReportTopics topics,
            Duration drainTimeMax)
            throws IOException {
        SpooledReporter reporter = new SpooledReporter(
                worker,
                Spool.open(folder, bytesMax),
                new Unspooled(Unspooled.BYTES_MAX),
                new LateProducer(producer),
                topics,
                drainTimeMax);
        reporter.start();
        return reporter;
    }
}
