package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.segment.Sidecar;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane's kept answers: segments in a folder, laid out as the job lays them out, one newest and at most three older. What is there and cannot be read
 * is left out, and stays, since its permissions may be mended. A folder that another scope's segments are in, by its layout or without one, was renamed,
 * copied or mixed up: nothing goes that was in it, since it may be all that is left of them.
 */
final class KeptLane {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLane.class);
    private static final long NEWEST_TOKENS_MAX = 262_144;
    private static final SegmentPlanner PLANNER =
            new SegmentPlanner(NEWEST_TOKENS_MAX, NEWEST_TOKENS_MAX, Long.MAX_VALUE / 4);

    private final KeptFolder folder;
    private final ServedModel model;
    private final long tokensMax;
    private final List<Part> parts = new ArrayList<>();
    private final OpenSegments openSegments = new OpenSegments();
    /** Scopes of segments that do not belong into this folder. */
    private final Set<String> strangers = new TreeSet<>();

    private String scope;
    private long version;
    /** Completion times of answers that are in segments which the lane does not draft from yet. */
    private long[] unserved = {};
    /** A segment was found damaged by who drafted from it, and none has been looked at since. */
    private final AtomicBoolean damaged = new AtomicBoolean();

    /** A segment of the layout. */
    private record Part(Compaction.Files files, long liveTokens, long newestCompletedAtMillis) {
        static Part of(Compaction.Files files, SegmentSummary summary) {
            return new Part(files, summary.liveTokens(), summary.newestCompletedAtMillis());
        }
    }

    private KeptLane(KeptFolder folder, ServedModel model, long tokensMax) {
        this.folder = folder;
        this.model = model;
        this.tokensMax = tokensMax;
    }

    /** Answers of another model, or of another tokenizer: what would be kept beside them could not be drafted from. */
    static final class AnotherModelException extends IOException {
        private static final long serialVersionUID = 1L;

        AnotherModelException(String message) {
            super(message);
        }
    }

    /** Takes up what is there; a segment that is damaged or cannot be read is left out, and the log says so. */
    static KeptLane open(Path folder, ServedModel model, long tokensMax) throws IOException {
        KeptLane lane = new KeptLane(new KeptFolder(Files.createDirectories(folder)), model, tokensMax);
        Optional<List<String>> layout = lane.folder.layout();
        for (String name : layout.isPresent() ? layout.get() : lane.folder.segments()) {
            lane.takeUp(lane.folder.files(name));
        }
        boolean known = layout.isPresent();
        if (!lane.strangers.isEmpty()) {
            lane.leaveStrangers();
            known = false;
        }
        if (known && lane.parts.size() <= LoadedSnapshot.SEGMENTS_MAX) {
            lane.sweepOrSay();
        } else if (!lane.parts.isEmpty()) {
            lane.layOutAnew();
        }
        return lane;
    }

    /** The layout may be another scope's: the lane's own segments are taken up whether or not it names them, and nothing else is touched. */
    private void leaveStrangers() throws IOException {
        for (String name : folder.segments()) {
            Compaction.Files files = folder.files(name);
            if (!folder.leavesOut(files) && !named().contains(files)) {
                takeUp(files);
            }
        }
        folder.keepAllBut(named());
        LOG.warn(
                "{} holds answers of scopes {}, which stay as they are and are not drafted from; to take them up rename this folder to {} while the"
                        + " agent is stopped, or remove it by hand",
                folder.path(),
                strangers,
                strangers.stream().map(KeptAnswers::encode).collect(Collectors.joining(" or ")));
    }

    /** The layout is lost, or names more than a lane has, and the segments are there: they are laid out by age. */
    private void layOutAnew() throws IOException {
        LOG.warn("the layout of {} is written anew, of the {} segments that are there", folder.path(), parts.size());
        SegmentIdentity identity = model.identity(model.lane(scope));
        dropDamaged(identity);
        parts.sort(Comparator.comparingLong(Part::newestCompletedAtMillis));
        List<Part> next = parts.size() > LoadedSnapshot.SEGMENTS_MAX ? List.of(merge(parts, identity)) : parts;
        if (!next.isEmpty()) {
            write(List.copyOf(next));
        }
    }

    private static void say(IOException damage) {
        LOG.warn("kept answers are lost: {}", damage.getMessage());
    }

    private void takeUp(Compaction.Files files) throws IOException {
        if (KeptFolder.isUnreadable(files)) {
            folder.leaveOut(files);
            sayUnreadable(files);
            return;
        }
        try (Segment segment = Segment.inspect(files.segment())) {
            takeUp(files, segment);
        } catch (CorruptSegmentException | NoSuchFileException e) {
            say(e);
        }
    }

    private void takeUp(Compaction.Files files, Segment segment) throws IOException {
        LaneId lane = LaneId.parse(segment.identity().lane());
        if (!folder.path().endsWith(KeptAnswers.encode(lane.scope()))) {
            strangers.add(lane.scope());
            folder.leaveOut(files);
            return;
        }
        if (!segment.identity().equals(model.identity(model.lane(lane.scope())))) {
            throw new AnotherModelException(
                    "%s is of %s, the engine's model is %s; keep its answers in another folder, or delete this one"
                            .formatted(files.segment(), segment.identity(), model));
        }
        scope = lane.scope();
        parts.add(Part.of(files, segment.summary()));
    }

    private static void sayUnreadable(Compaction.Files files) {
        LOG.warn(
                "{} or its sidecar cannot be read, so the answers there are not drafted from; let this user read it and start again, or delete it",
                files.segment());
    }

    /** True for a segment that cannot be read any more: it is out of the lane, and stays where it is. */
    private boolean leavesOut(Part part) {
        boolean unreadable = KeptFolder.isUnreadable(part.files());
        if (unreadable) {
            folder.leaveOut(part.files());
            sayUnreadable(part.files());
            parts.remove(part);
        }
        return unreadable;
    }

    /** Whose answers these are; empty if there are none. */
    Optional<String> scope() {
        return Optional.ofNullable(scope);
    }

    /**
     * Writes more answers; when it returns they are on disk and named. A segment that was damaged meanwhile goes; one that cannot be read is left out.
     *
     * @throws IOException if they are not
     */
    void add(List<Compaction.Input> answers, String ofScope) throws IOException {
        scope = ofScope;
        SegmentIdentity identity = model.identity(model.lane(ofScope));
        if (damaged.getAndSet(false)) {
            dropFoundDamaged(identity);
        }
        write(withIntact(part(Compaction.flush(answers, identity, folder.path())), identity));
        unserved = LongStream.concat(
                        LongStream.of(unserved),
                        answers.stream().mapToLong(answer -> answer.entry().completedAtMillis()))
                .toArray();
        try {
            folder.force();
            folder.sweep(named());
        } catch (IOException e) {
            sayNotSwept(e);
        }
    }

    private void sweepOrSay() {
        try {
            folder.sweep(named());
        } catch (IOException e) {
            sayNotSwept(e);
        }
    }

    private void sayNotSwept(IOException e) {
        LOG.warn("{} keeps files that it does not need until more answers come: {}", folder.path(), e.toString());
    }

    /** The layout with one segment more, and without those that are found to be damaged or unreadable. If it fails, nothing is left of the attempt. */
    private List<Part> withIntact(Part added, SegmentIdentity identity) throws IOException {
        List<Part> next = null;
        try {
            next = with(added, identity);
        } catch (IOException e) {
            boolean damaged = e instanceof CorruptSegmentException || e instanceof NoSuchFileException;
            if (!damaged && parts.stream().noneMatch(part -> KeptFolder.isUnreadable(part.files()))) {
                throw e;
            }
            dropDamaged(identity);
            next = with(added, identity);
        } finally {
            if (next == null) {
                sweepOrSay();
            }
        }
        return next;
    }

    /** The layout with one segment more. */
    private List<Part> with(Part added, SegmentIdentity identity) throws IOException {
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
        return next;
    }

    private void dropFoundDamaged(SegmentIdentity identity) throws IOException {
        try {
            dropDamaged(identity);
        } catch (IOException e) {
            damaged.set(true);
            throw e;
        }
    }

    private void dropDamaged(SegmentIdentity identity) throws IOException {
        for (Part part : List.copyOf(parts)) {
            if (leavesOut(part)) {
                continue;
            }
            try (Segment segment = Segment.openVerified(part.files().segment(), identity)) {
                Sidecar.readFor(segment, part.files().sidecar());
            } catch (CorruptSegmentException | NoSuchFileException e) {
                say(e);
                parts.remove(part);
            }
        }
    }

    private Part merge(List<Part> inputs, SegmentIdentity identity) throws IOException {
        return part(Compaction.merge(
                inputs.stream().map(Part::files).toList(), Retention.everything(), identity, folder.path()));
    }

    private static Part part(Compaction.Result result) {
        return Part.of(result.files(), result.summary());
    }

    private void expire(List<Part> next) {
        while (next.size() > 1 && next.stream().mapToLong(Part::liveTokens).sum() > tokensMax) {
            next.remove(0);
        }
    }

    /** Replaces the layout. If it fails, the one before is the layout still. */
    private void write(List<Part> next) throws IOException {
        folder.write(next.stream().map(Part::files).toList(), named());
        parts.clear();
        parts.addAll(next);
    }

    private List<Compaction.Files> named() {
        return parts.stream().map(Part::files).toList();
    }

    /**
     * The lane drafts from these segments from now on, and no longer from the fresh answers that they hold. A segment that cannot be opened because it
     * is damaged goes; one that cannot be read is left out.
     *
     * @throws IOException if one cannot be opened now
     */
    void serve(ServedLane lane) throws IOException {
        Serving serving = new Serving();
        try {
            serving.open(model.identity(lane.lane()));
            if (!serving.segments.isEmpty()) {
                Segment newest = serving.segments.get(serving.segments.size() - 1);
                version = Math.max(version + 1, newest.summary().newestCompletedAtMillis());
                lane.serveKept(serving::snapshot, unserved);
                unserved = new long[0];
            }
        } finally {
            serving.closeUnlessHanded();
        }
    }

    /** Segments on their way into a snapshot, which closes them from then on. */
    private final class Serving {
        private final List<Path> files = new ArrayList<>();
        private final List<Segment> segments = new ArrayList<>();
        private boolean handed;

        void open(SegmentIdentity identity) throws IOException {
            for (Part part : List.copyOf(parts)) {
                if (!leavesOut(part)) {
                    open(part, identity);
                }
            }
        }

        private void open(Part part, SegmentIdentity identity) throws IOException {
            Path file = part.files().segment();
            try {
                segments.add(openSegments.acquire(file, identity));
                files.add(file);
            } catch (CorruptSegmentException | NoSuchFileException e) {
                say(e);
                parts.remove(part);
            }
        }

        LoadedSnapshot snapshot(OccurrenceIndex fresh) {
            LoadedSnapshot snapshot = LoadedSnapshot.of(version, segments, fresh, this::close, () -> damaged.set(true));
            handed = true;
            return snapshot;
        }

        void closeUnlessHanded() {
            if (!handed) {
                close();
            }
        }

        private void close() {
            files.forEach(openSegments::release);
        }
    }
}
