package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane's kept answers: segments in a folder, laid out as the job lays them out, one newest and at most three older. A text file names them, oldest
 * first; it is replaced in one move, so a process that is killed leaves the old or the new layout, and at most files that nothing names.
 */
final class KeptLane {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLane.class);
    private static final String LAYOUT = "layout";
    private static final String SEGMENT = ".segment";
    private static final String SIDECAR = ".sidecar";
    private static final long NEWEST_TOKENS_MAX = 262_144;
    private static final SegmentPlanner PLANNER =
            new SegmentPlanner(NEWEST_TOKENS_MAX, NEWEST_TOKENS_MAX, Long.MAX_VALUE / 4);

    private final Path folder;
    private final ServedModel model;
    private final long tokensMax;
    private final List<Part> parts = new ArrayList<>();
    private String scope;
    private long version;

    /** A segment of the layout. */
    private record Part(Compaction.Files files, long liveTokens) {}

    private KeptLane(Path folder, ServedModel model, long tokensMax) {
        this.folder = folder;
        this.model = model;
        this.tokensMax = tokensMax;
    }

    /** Takes up what is there; a segment that is damaged is left out, and the log says so. */
    static KeptLane open(Path folder, ServedModel model, long tokensMax) throws IOException {
        KeptLane lane = new KeptLane(Files.createDirectories(folder), model, tokensMax);
        for (String name : lane.layout()) {
            try (Segment segment = Segment.inspect(folder.resolve(name + SEGMENT))) {
                lane.takeUp(name, segment);
            } catch (CorruptSegmentException | NoSuchFileException e) {
                LOG.warn("kept answers are lost: {}", e.getMessage());
            }
        }
        lane.sweep();
        return lane;
    }

    private List<String> layout() throws IOException {
        try {
            return Files.readAllLines(folder.resolve(LAYOUT));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private void takeUp(String name, Segment segment) throws IOException {
        LaneId lane = LaneId.parse(segment.identity().lane());
        if (!segment.identity().equals(model.identity(lane))) {
            throw new IOException(
                    "%s is of %s, the engine's model is %s; keep its answers in another folder, or delete this one"
                            .formatted(folder.resolve(name + SEGMENT), segment.identity(), model));
        }
        scope = lane.scope();
        parts.add(new Part(files(name), segment.summary().liveTokens()));
    }

    /** Whose answers these are; empty if there are none. */
    Optional<String> scope() {
        return Optional.ofNullable(scope);
    }

    /** Writes more answers; when it returns they are on disk and named. */
    void add(List<Compaction.Input> answers, String ofScope) throws IOException {
        scope = ofScope;
        SegmentIdentity identity = model.identity(model.lane(ofScope));
        Part added = part(Compaction.flush(answers, identity, folder));
        List<Part> next = new ArrayList<>(parts);
        Part newest = next.isEmpty() ? null : next.remove(next.size() - 1);
        if (newest != null && PLANNER.graduates(newest.liveTokens(), 0, next.size(), added.liveTokens())) {
            next.add(newest);
            newest = null;
        }
        newest = newest == null ? added : merge(List.of(newest, added), identity);
        OptionalInt from =
                PLANNER.mergeFrom(next.stream().mapToLong(Part::liveTokens).toArray(), newest.liveTokens(), 0);
        if (from.isPresent()) {
            List<Part> alike = next.subList(from.getAsInt(), next.size());
            Part merged = merge(List.copyOf(alike), identity);
            alike.clear();
            next.add(merged);
        }
        next.add(newest);
        expire(next);
        write(next);
        parts.clear();
        parts.addAll(next);
        sweep();
    }

    private Part merge(List<Part> inputs, SegmentIdentity identity) throws IOException {
        return part(
                Compaction.merge(inputs.stream().map(Part::files).toList(), Retention.everything(), identity, folder));
    }

    private static Part part(Compaction.Result result) {
        return new Part(result.files(), result.summary().liveTokens());
    }

    private void expire(List<Part> next) {
        while (next.size() > 1 && next.stream().mapToLong(Part::liveTokens).sum() > tokensMax) {
            next.remove(0);
        }
    }

    private void write(List<Part> next) throws IOException {
        Path temporary = folder.resolve(LAYOUT + ".new");
        Files.write(temporary, next.stream().map(KeptLane::name).toList());
        Files.move(
                temporary, folder.resolve(LAYOUT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes what the layout does not name. */
    private void sweep() throws IOException {
        Set<Path> named = new HashSet<>();
        parts.forEach(part -> {
            named.add(part.files().segment());
            named.add(part.files().sidecar());
        });
        try (var all = Files.list(folder)) {
            for (Path file : all.toList()) {
                if (!named.contains(file) && !file.getFileName().toString().equals(LAYOUT)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** The lane drafts from these segments from now on, and no longer from the fresh answers that they hold. */
    void serve(ServedLane lane, long[] completionTimesAdded) {
        if (parts.isEmpty()) {
            return;
        }
        List<Segment> opened = new ArrayList<>();
        try {
            SegmentIdentity identity = model.identity(lane.lane());
            for (Part part : parts) {
                opened.add(Segment.reopen(part.files().segment(), identity));
            }
        } catch (IOException e) {
            opened.forEach(Segment::close);
            throw new UncheckedIOException(e);
        }
        Segment newest = opened.get(opened.size() - 1);
        version = Math.max(version + 1, newest.summary().newestCompletedAtMillis());
        lane.serveKept(fresh -> LoadedSnapshot.of(version, opened, fresh), completionTimesAdded);
    }

    private Compaction.Files files(String name) {
        return new Compaction.Files(folder.resolve(name + SEGMENT), folder.resolve(name + SIDECAR));
    }

    private static String name(Part part) {
        String file = part.files().segment().getFileName().toString();
        return file.substring(0, file.length() - SEGMENT.length());
    }
}
