package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Snapshots without Kafka: a folder with the segment files of one snapshot a lane, as the job wrote them. Every byte is
 * checked; the segment with the newest answer is the lane's newest, the others its older ones. Read once, at the start.
 */
final class SnapshotFolder {
    private static final int DEPTH_MAX = 6;

    private final ServedModel model;
    private final Path folder;

    public SnapshotFolder(ServedModel model, Path folder) {
        this.model = model;
        this.folder = folder;
    }

    /**
     * Makes the segments live.
     *
     * @return lanes that have a snapshot now
     * @throws IOException if there is no such folder, a file is damaged, of another model or tokenizer, or a lane has more than four
     */
    public int loadInto(ServedLanes lanes, long nowMillis) throws IOException {
        Map<String, List<Segment>> byLane = new LinkedHashMap<>();
        boolean complete = false;
        try {
            for (Path file : files(folder)) {
                Segment segment = open(file);
                byLane.computeIfAbsent(segment.identity().lane(), lane -> new ArrayList<>())
                        .add(segment);
            }
            for (Map.Entry<String, List<Segment>> lane : byLane.entrySet()) {
                checkCount(lane.getKey(), lane.getValue().size());
            }
            byLane.forEach((lane, segments) -> serve(lanes, LaneId.parse(lane), segments, nowMillis));
            complete = true;
            return byLane.size();
        } finally {
            if (!complete) {
                byLane.values().forEach(segments -> segments.forEach(Segment::close));
            }
        }
    }

    /**
     * The segment files in a folder and its subfolders.
     *
     * @throws IOException if there is no such folder, or it cannot be read
     */
    public static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException("%s is to hold a snapshot's segments, and is no folder".formatted(folder));
        }
        try (Stream<Path> all = Files.walk(folder, DEPTH_MAX)) {
            return all.filter(path -> path.getFileName().toString().endsWith(".segment"))
                    .sorted()
                    .toList();
        }
    }

    private Segment open(Path file) throws IOException {
        String lane;
        try (Segment any = Segment.inspect(file)) {
            lane = any.identity().lane();
        }
        LaneId id = LaneId.parse(lane);
        if (!model.serves(id.toLane())) {
            throw new IOException("%s is of lane %s, this worker serves %s@%s; take it out of the folder"
                    .formatted(file, lane, model.model(), model.revision()));
        }
        return Segment.openVerified(
                file, new SegmentIdentity(lane, model.vocabularySize(), model.tokenizerFingerprint()));
    }

    private void checkCount(String lane, int count) throws IOException {
        if (count > LoadedSnapshot.SEGMENTS_MAX) {
            throw new IOException(
                    "%s has %d segments of lane %s, a snapshot has at most %d; copy only those that its manifest names"
                            .formatted(folder, count, lane, LoadedSnapshot.SEGMENTS_MAX));
        }
    }

    private static void serve(ServedLanes lanes, LaneId lane, List<Segment> segments, long nowMillis) {
        List<Segment> ordered = new ArrayList<>(segments);
        ordered.sort(Comparator.comparingLong(segment -> segment.summary().newestCompletedAtMillis()));
        Segment newest = ordered.get(ordered.size() - 1);
        ServedLane followed = lanes.ofRequest(lane.scope());
        long version = Math.max(1, newest.summary().newestCompletedAtMillis());
        Runnable closer = () -> ordered.forEach(Segment::close);
        followed.serve(LoadedSnapshot.of(version, ordered, followed.freshIndex(), closer, () -> {}), nowMillis);
    }
}
