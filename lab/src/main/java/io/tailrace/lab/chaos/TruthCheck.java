package io.tailrace.lab.chaos;

import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Compares what lies in Kafka with what each worker was asked and has answered. */
final class TruthCheck {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Installation installation;
    private final long seed;

    /**
     * What was found.
     *
     * @param told answers that somebody has whole
     * @param onTopic how many of them are on topic generations
     * @param differing records there whose scope or tokens are not the truth's
     */
    record Found(long told, long onTopic, long differing) {}

    TruthCheck(Installation installation, long seed) {
        this.installation = installation;
        this.seed = seed;
    }

    /** Ids of the answers that somebody has whole. */
    Set<String> told() throws IOException {
        Set<String> told = new HashSet<>();
        for (String worker : Truth.WORKERS) {
            if (Files.exists(installation.folders().told(worker))) {
                told.addAll(Files.readAllLines(installation.folders().told(worker)));
            }
        }
        return told;
    }

    Found check() throws IOException {
        Set<String> told = told();
        Map<String, RecordedRequest> truths = truths(told.size());
        Set<String> found = new HashSet<>();
        long[] differing = new long[1];
        read(Topic.GENERATIONS, record -> {
            String id = compare(record.value(), truths, differing);
            if (told.contains(id)) {
                found.add(id);
            }
        });
        return new Found(told.size(), found.size(), differing[0]);
    }

    private static String compare(byte[] value, Map<String, RecordedRequest> truths, long[] differing) {
        try {
            Generation generation = RecordCodec.GENERATION.decode(value);
            RecordedRequest truth = truths.get(generation.getRequestId());
            if (truth == null
                    || !truth.scope().equals(generation.getLane().getScope())
                    || !Arrays.equals(truth.response(), TokenIds.toArray(generation.getResponse()))) {
                differing[0]++;
            }
            return generation.getRequestId();
        } catch (UndecodableRecordException e) {
            differing[0]++;
            return "";
        }
    }

    /** Of each worker as many as all have told, and one more, which it may have had in hand. */
    private Map<String, RecordedRequest> truths(int told) {
        Map<String, RecordedRequest> truths = new HashMap<>();
        for (String worker : Truth.WORKERS) {
            Iterator<RecordedRequest> requests = Truth.of(seed, worker);
            for (int i = 0; i <= told; i++) {
                RecordedRequest request = requests.next();
                truths.put(request.id(), request);
            }
        }
        return truths;
    }

    private void read(Topic topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", installation.bootstrap(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic.name("")).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.value() != null) {
                        reader.accept(record);
                    }
                }
            }
        }
    }
}
