package io.tailrace.cli.fleet;

import io.tailrace.cli.fleet.GenerationTrace.Found;
import io.tailrace.cli.fleet.GenerationTrace.Standing;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Looks for a request's generations on topics generations and rejections. Of topic generations it reads the partition of the request's key first, and the
 * others where that holds none: the topic may have had fewer partitions once. Rejections come last: those for a quota name no request, only a place.
 */
final class GenerationLookup {
    private static final int FOUND_MAX = 32;

    private final String requestId;
    private final byte[] key;
    private final List<Offered> offered = new ArrayList<>();
    private final List<HeardRejection> rejections = new ArrayList<>();
    private boolean complete;

    /**
     * A generation of the request, and where it stands.
     *
     * @param source the number by which manifests name its partition
     */
    private record Offered(
            LaneId lane,
            String producer,
            String topic,
            int partition,
            int source,
            long offset,
            Instant completedAt,
            int tokens) {
        boolean isAt(HeardRejection rejection) {
            return rejection.partition() == partition
                    && rejection.offset() == offset
                    && rejection.topic().equals(topic);
        }

        Found found(Standing standing, List<Long> versions, String why) {
            return new Found(
                    standing,
                    lane == null ? "" : lane.toString(),
                    producer,
                    "%s-%d at offset %d".formatted(topic, partition, offset),
                    completedAt,
                    tokens,
                    versions,
                    why);
        }
    }

    private GenerationLookup(String requestId) {
        this.requestId = requestId;
        this.key = requestId.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the topics, for so long at most. */
    static GenerationLookup read(LoopTopics topics, String requestId, Duration max) {
        GenerationLookup lookup = new GenerationLookup(requestId);
        long deadline = System.nanoTime() + max.toNanos();
        LoopTopics.Taking generations = record -> lookup.generation(record, topics.place(record));
        topics.beginAt(Topic.GENERATIONS, requestId);
        lookup.complete = topics.readToEnds(generations, deadline);
        lookup.readRejections(topics, deadline);
        if (lookup.offered.isEmpty() && lookup.rejections.isEmpty()) {
            topics.begin(Map.of(Topic.GENERATIONS, 0L));
            lookup.complete &= topics.readToEnds(generations, deadline);
            lookup.readRejections(topics, deadline);
        }
        return lookup;
    }

    private void readRejections(LoopTopics topics, long deadline) {
        rejections.clear();
        topics.begin(Map.of(Topic.REJECTIONS, 0L));
        complete &= topics.readToEnds(this::rejection, deadline);
    }

    private void rejection(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        HeardRejection rejection = HeardRejection.of(RecordCodec.REJECTION.decode(record.value()));
        boolean ofRequest = rejection.requestId() == null
                ? offered.stream().anyMatch(one -> one.isAt(rejection))
                : requestId.equals(rejection.requestId());
        if (ofRequest && rejections.size() < FOUND_MAX) {
            rejections.add(rejection);
        }
    }

    /** Other requests' records are not decoded. */
    private void generation(ConsumerRecord<byte[], byte[]> record, int source) throws UndecodableRecordException {
        if (offered.size() == FOUND_MAX || (record.key() != null && !Arrays.equals(record.key(), key))) {
            return;
        }
        Generation generation = RecordCodec.GENERATION.decode(record.value());
        if (generation.getRequestId().equals(requestId)) {
            offered.add(new Offered(
                    lane(generation),
                    Shown.text(generation.getProducer()),
                    record.topic(),
                    record.partition(),
                    source,
                    record.offset(),
                    generation.getCompletedAt(),
                    generation.getResponse().size()));
        }
    }

    /** Null: it breaks the rule for lanes' names. */
    private static LaneId lane(Generation generation) {
        try {
            return LaneId.of(generation.getLane());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** What became of what was found. */
    GenerationTrace trace(FleetView fleet) {
        List<Found> found = new ArrayList<>();
        Set<LaneId> before = new HashSet<>();
        for (Offered one : offered) {
            found.add(found(one, before, fleet));
        }
        rejections.stream()
                .filter(rejection -> offered.stream().noneMatch(one -> one.isAt(rejection)))
                .map(GenerationLookup::forgotten)
                .forEach(found::add);
        return new GenerationTrace(Shown.text(requestId), found, complete);
    }

    private Found found(Offered one, Set<LaneId> before, FleetView fleet) {
        for (HeardRejection rejection : rejections) {
            if (one.isAt(rejection)) {
                return one.found(Standing.REJECTED, List.of(), rejection.reason() + ": " + rejection.detail());
            }
        }
        if (!before.add(one.lane())) {
            return one.found(Standing.REPEAT, List.of(), "");
        }
        if (one.lane() != null
                && fleet.isDeleted(one.lane(), requestId, one.completedAt().toEpochMilli())) {
            return one.found(Standing.DELETED, List.of(), "");
        }
        List<Long> versions = holding(one, fleet);
        return one.found(versions.isEmpty() ? Standing.WAITING : Standing.ACCEPTED, versions, "");
    }

    private static List<Long> holding(Offered one, FleetView fleet) {
        return one.lane() == null
                ? List.of()
                : fleet.lane(one.lane().toString()).stream()
                        .flatMap(lane -> lane.versions().values().stream())
                        .filter(manifest -> reaches(manifest, one))
                        .map(SnapshotManifest::getVersion)
                        .toList();
    }

    private static boolean reaches(SnapshotManifest manifest, Offered one) {
        return manifest.getSourceOffsets().stream()
                .anyMatch(newest -> newest.getPartition() == one.source() && newest.getOffset() >= one.offset());
    }

    /** Topic generations no longer holds what was refused. */
    private static Found forgotten(HeardRejection rejection) {
        return new Found(
                Standing.REJECTED,
                rejection.lane(),
                "",
                rejection.place(),
                null,
                -1,
                List.of(),
                rejection.reason() + ": " + rejection.detail());
    }
}
