package io.tailrace.e2e.loop;

import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/**
 * Looks for canaries all the while that a loop runs: in each record of every topic but generations, committed or not, and in every file of a
 * folder, round after round. The broker's own files are left out, since its topics are read.
 */
public final class CanaryWatch implements AutoCloseable {
    private static final Duration ROUND_MAX = Duration.ofSeconds(60);

    private final Function<byte[], Set<Integer>> canaries;
    private final Path folder;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::watch, "canary-watch");
    private final Map<String, Set<Integer>> everFound = new TreeMap<>();
    private volatile Map<String, Set<Integer>> foundNow = Map.of();
    private final AtomicLong rounds = new AtomicLong();
    private volatile boolean ending;

    /** Begins to watch. */
    public CanaryWatch(String bootstrap, PromptCanaries canaries, Path folder) {
        this(bootstrap, canaries::in, folder);
    }

    /** The same for whatever somebody finds among bytes; he is asked on the watch's own thread. */
    CanaryWatch(String bootstrap, Function<byte[], Set<Integer>> canaries, Path folder) {
        this.canaries = canaries;
        this.folder = folder;
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> watched = Stream.of(Topic.values())
                .filter(topic -> topic != Topic.GENERATIONS)
                .flatMap(topic -> consumer.partitionsFor(topic.name("")).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(watched);
        consumer.seekToBeginning(watched);
        thread.start();
    }

    /** What was ever found, by place: {@code topic NAME}, or a file's first two folders. */
    public Map<String, Set<Integer>> ever() {
        awaitRound();
        synchronized (everFound) {
            Map<String, Set<Integer>> copy = new TreeMap<>();
            everFound.forEach((place, found) -> copy.put(place, new TreeSet<>(found)));
            return copy;
        }
    }

    /** What stands in files now, by place. */
    public Map<String, Set<Integer>> now() {
        awaitRound();
        return foundNow;
    }

    /** Until a round has ended that began after this call. */
    private void awaitRound() {
        long wanted = rounds.get() + 2;
        Awaitility.await("a look at everything")
                .atMost(ROUND_MAX)
                .failFast("the watch has ended", () -> !thread.isAlive())
                .until(() -> rounds.get() >= wanted);
    }

    private void watch() {
        try (consumer) {
            while (!ending) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
                    if (each.value() != null) {
                        note("topic " + each.topic(), canaries.apply(each.value()));
                    }
                }
                lookAtFiles();
                rounds.incrementAndGet();
            }
        }
    }

    private void lookAtFiles() {
        Map<String, Set<Integer>> found = new TreeMap<>();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    try {
                        found.computeIfAbsent(place(file), name -> new TreeSet<>())
                                .addAll(canaries.apply(Files.readAllBytes(file)));
                    } catch (NoSuchFileException gone) {
                        return FileVisitResult.CONTINUE;
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return directory.endsWith("kafka") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) throws IOException {
                    if (gone instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw gone;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException("the watch cannot read " + folder, e);
        }
        found.forEach(this::note);
        foundNow = found;
    }

    private String place(Path file) {
        Path relative = folder.relativize(file);
        return relative.subpath(0, Math.min(2, relative.getNameCount())).toString();
    }

    private void note(String place, Set<Integer> found) {
        synchronized (everFound) {
            everFound.computeIfAbsent(place, name -> new TreeSet<>()).addAll(found);
        }
    }

    @Override
    public void close() {
        ending = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
