package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;

/** A worker's reports, their spool and what sends them, without its thread. */
public final class SimulatedReports {
    private final Path folder;
    private final Spool spool;
    private final Unspooled unspooled;
    private final SpooledReporter reporter;

    /**
     * Takes up what is in the folder.
     *
     * @param memoryBytesMax room for what the disk does not take
     */
    public SimulatedReports(Path folder, long memoryBytesMax, Producer<byte[], byte[]> producer) throws IOException {
        this.folder = folder;
        this.spool = Spool.open(folder, Reporter.SPOOL_BYTES_MIN);
        this.unspooled = new Unspooled(memoryBytesMax);
        this.reporter = new SpooledReporter(
                "worker",
                spool,
                unspooled,
                new LateProducer(() -> producer),
                ReportTopics.everybodys(""),
                Duration.ZERO);
    }

    public void generation(Generation generation) {
        reporter.generation(generation);
    }

    /** One round of what the thread does; false if not all that it tried to send arrived. */
    public boolean round() throws InterruptedException {
        return reporter.delivery().round(0);
    }

    /** Records that wait on disk or in memory. */
    public long pending() {
        return reporter.delivery().pendingRecords();
    }

    /** Request ids of what waits in memory alone. */
    public List<String> inMemory() {
        return unspooled.peek(Integer.MAX_VALUE).stream()
                .map(report -> new String(report.key(), StandardCharsets.UTF_8))
                .toList();
    }

    /** The process is gone: nothing but its files is left. */
    public void kill() throws IOException {
        spool.close();
    }

    /** The process is gone while it wrote a report: so many of its bytes are on the disk, if it takes them. */
    public void killIn(Generation generation, int bytes) throws IOException {
        kill();
        byte[] key = generation.getRequestId().getBytes(StandardCharsets.UTF_8);
        byte[] value = RecordCodec.GENERATION.encode(generation);
        ByteBuffer whole = SpoolFormat.encode(new Spool.Entry(Topic.GENERATIONS.name(""), key, value));
        Path newest = newest();
        if (newest != null) {
            byte[] part = new byte[Math.min(bytes, whole.remaining() - 1)];
            whole.get(part);
            Files.write(newest, part, StandardOpenOption.APPEND);
        }
    }

    private Path newest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(".spool"))
                    .max(Path::compareTo)
                    .orElse(null);
        }
    }

    /** Forgets how far a spool was sent. */
    public static void beginAnew(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("cursor"));
    }
}
