package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.segment.SegmentSummary;
import io.tailrace.suffix.segment.Sidecar;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane's kept answers: segments in a folder, laid out as the job lays them out, one newest and at most three older. A text file names them, oldest
 * first; it is replaced in one move, so a process that is killed leaves the old or the new layout, and at most files that nothing names. Whatever it
 * names is on disk before it is, and it is before anything is deleted, so a power cut leaves one of the two as well. What is there and cannot be read
 * stays, and in the layout, since its permissions may be mended; so does what a lane does not write. A folder that another scope's segments are in, by
 * its layout or without one, was renamed, copied or mixed up: nothing goes that was in it, since it may be all that is left of them.
 */
final class KeptLane {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLane.class);
    private static final String LAYOUT = "layout";
    private static final String LAYOUT_NEW = LAYOUT + ".new";
    private static final String LAYOUT_ASIDE = LAYOUT + ".aside";
    private static final String SEGMENT = ".segment";
    private static final String SIDECAR = ".sidecar";
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");
    /** Whatever else lies in the folder is somebody else's. */
    private static final Pattern OWN = Pattern.compile(
            "[0-9a-f]{64}\\.(segment|sidecar)|[0-9a-f-]+\\.(segment|sidecar)\\.tmp|" + Pattern.quote(LAYOUT_NEW));

    private static final long NEWEST_TOKENS_MAX = 262_144;
    private static final SegmentPlanner PLANNER =
            new SegmentPlanner(NEWEST_TOKENS_MAX, NEWEST_TOKENS_MAX, Long.MAX_VALUE / 4);

    private final Path folder;
    private final ServedModel model;
    private final long tokensMax;
    private final List<Part> parts = new ArrayList<>();
    /** Names of segments that are there and cannot be read, or are of other scopes: the layout names them, and nothing is done with them. */
    private final Set<String> leftOut = new LinkedHashSet<>();
    /** Scopes of segments that do not belong into this folder. */
    private final Set<String> strangers = new TreeSet<>();
    /** Where there are such segments, all that was there and is not this lane's. */
    private final Set<Path> notOurs = new HashSet<>();

    private String scope;
    private long version;
    /** Completion times of answers that are in segments which the lane does not draft from yet. */
    private long[] unserved = {};

    /** A segment of the layout. */
    private record Part(Compaction.Files files, long liveTokens, long newestCompletedAtMillis) {
        static Part of(Compaction.Files files, SegmentSummary summary) {
            return new Part(files, summary.liveTokens(), summary.newestCompletedAtMillis());
        }
    }

    private KeptLane(Path folder, ServedModel model, long tokensMax) {
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
        KeptLane lane = new KeptLane(Files.createDirectories(folder), model, tokensMax);
        List<String> layout = lane.layout();
        boolean known = lane.isThere(layout);
        for (String name : known ? layout : lane.segments()) {
            lane.takeUp(lane.files(name));
        }
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

    /** Whether a layout is one, and of what is in this folder. */
    private boolean isThere(List<String> layout) {
        return layout.stream().allMatch(name -> NAME.matcher(name).matches())
                && layout.stream().anyMatch(name -> Files.exists(files(name).segment(), LinkOption.NOFOLLOW_LINKS));
    }

    /** The layout may be another scope's: the lane's own segments are taken up whether or not it names them, and nothing else is touched. */
    private void leaveStrangers() throws IOException {
        for (String name : segments()) {
            if (!leftOut.contains(name)
                    && parts.stream().noneMatch(part -> part.files().equals(files(name)))) {
                takeUp(files(name));
            }
        }
        try (Stream<Path> all = Files.list(folder)) {
            notOurs.addAll(all.toList());
        }
        parts.forEach(part ->
                notOurs.removeAll(List.of(part.files().segment(), part.files().sidecar())));
        LOG.warn(
                "{} holds answers of scopes {}, which stay as they are and are not drafted from; to take them up rename this folder to {} while the"
                        + " agent is stopped, or remove it by hand",
                folder,
                strangers,
                strangers.stream().map(KeptAnswers::encode).collect(Collectors.joining(" or ")));
    }

    private List<String> layout() throws IOException {
        Path layout = folder.resolve(LAYOUT);
        if (isUnreadable(layout)) {
            LOG.warn("{} cannot be read; it is put aside as {} when another is written", layout, LAYOUT_ASIDE);
            return List.of();
        }
        try {
            return Files.readAllLines(layout, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** What is there and is no file that this user may read. One that is, and fails to open all the same, fails for want of something else. */
    private static boolean isUnreadable(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !(Files.isRegularFile(file) && Files.isReadable(file));
    }

    private static boolean isUnreadable(Compaction.Files files) {
        return isUnreadable(files.segment()) || isUnreadable(files.sidecar());
    }

    /** All that are there, whatever names them. */
    private List<String> segments() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(SEGMENT))
                    .map(KeptLane::name)
                    .filter(name -> NAME.matcher(name).matches())
                    .toList();
        }
    }

    /** The layout is lost, or names more than a lane has, and the segments are there: they are laid out by age. */
    private void layOutAnew() throws IOException {
        LOG.warn("{} is written anew, of the {} segments that are there", folder.resolve(LAYOUT), parts.size());
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
        if (isUnreadable(files)) {
            leaveOut(files);
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
        if (!folder.endsWith(KeptAnswers.encode(lane.scope()))) {
            strangers.add(lane.scope());
            leftOut.add(name(files.segment()));
            return;
        }
        if (!segment.identity().equals(model.identity(lane))) {
            throw new AnotherModelException(
                    "%s is of %s, the engine's model is %s; keep its answers in another folder, or delete this one"
                            .formatted(files.segment(), segment.identity(), model));
        }
        scope = lane.scope();
        parts.add(Part.of(files, segment.summary()));
    }

    private void leaveOut(Compaction.Files files) {
        leftOut.add(name(files.segment()));
        LOG.warn(
                "{} cannot be read, so the answers there are not drafted from; let this user read it and start again, or delete it",
                isUnreadable(files.segment()) ? files.segment() : files.sidecar());
    }

    /** True for a segment that cannot be read any more: it is out of the lane, and stays where it is. */
    private boolean leavesOut(Part part) {
        boolean unreadable = isUnreadable(part.files());
        if (unreadable) {
            leaveOut(part.files());
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
        write(withIntact(part(Compaction.flush(answers, identity, folder)), identity));
        unserved = LongStream.concat(
                        LongStream.of(unserved),
                        answers.stream().mapToLong(answer -> answer.entry().completedAtMillis()))
                .toArray();
        try {
            forceFolder(folder);
            sweep();
        } catch (IOException e) {
            sayNotSwept(e);
        }
    }

    private void sweepOrSay() {
        try {
            sweep();
        } catch (IOException e) {
            sayNotSwept(e);
        }
    }

    private void sayNotSwept(IOException e) {
        LOG.warn("{} keeps files that it does not need until more answers come: {}", folder, e.toString());
    }

    /** The layout with one segment more, and without those that are found to be damaged or unreadable. If it fails, nothing is left of the attempt. */
    private List<Part> withIntact(Part added, SegmentIdentity identity) throws IOException {
        List<Part> next = null;
        try {
            next = with(added, identity);
        } catch (IOException e) {
            boolean damaged = e instanceof CorruptSegmentException || e instanceof NoSuchFileException;
            if (!damaged && parts.stream().noneMatch(part -> isUnreadable(part.files()))) {
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
        return part(
                Compaction.merge(inputs.stream().map(Part::files).toList(), Retention.everything(), identity, folder));
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
        for (Part part : next) {
            if (!parts.contains(part)) {
                force(part.files().segment());
                force(part.files().sidecar());
            }
        }
        Path temporary = folder.resolve(LAYOUT_NEW);
        Stream<String> names = next.stream().map(part -> name(part.files().segment()));
        Files.write(temporary, Stream.concat(leftOut.stream(), names).distinct().toList());
        force(temporary);
        forceFolder(folder);
        if (parts.isEmpty()) {
            forceFolder(folder.getParent());
        }
        Path layout = folder.resolve(LAYOUT);
        if (isUnreadable(layout)) {
            Files.move(layout, folder.resolve(LAYOUT_ASIDE), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(temporary, layout, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        parts.clear();
        parts.addAll(next);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Makes the renaming of its files survive a power cut. */
    private static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Deletes what this lane has written and the layout does not name. */
    private void sweep() throws IOException {
        Set<Path> named = new HashSet<>(notOurs);
        Stream.concat(parts.stream().map(Part::files), leftOut.stream().map(this::files))
                .forEach(files -> {
                    named.add(files.segment());
                    named.add(files.sidecar());
                });
        try (var all = Files.list(folder)) {
            for (Path file : all.toList()) {
                boolean own = OWN.matcher(file.getFileName().toString()).matches();
                if (own && !named.contains(file) && !isUnreadable(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /**
     * The lane drafts from these segments from now on, and no longer from the fresh answers that they hold. A segment that cannot be opened because it
     * is damaged goes; one that cannot be read is left out.
     *
     * @throws IOException if one cannot be opened now
     */
    void serve(ServedLane lane) throws IOException {
        SegmentIdentity identity = model.identity(lane.lane());
        List<Segment> opened = new ArrayList<>();
        try {
            for (Part part : List.copyOf(parts)) {
                open(part, identity, opened);
            }
        } catch (IOException e) {
            opened.forEach(Segment::close);
            throw e;
        }
        if (opened.isEmpty()) {
            return;
        }
        Segment newest = opened.get(opened.size() - 1);
        version = Math.max(version + 1, newest.summary().newestCompletedAtMillis());
        lane.serveKept(fresh -> LoadedSnapshot.of(version, opened, fresh), unserved);
        unserved = new long[0];
    }

    private void open(Part part, SegmentIdentity identity, List<Segment> opened) throws IOException {
        if (leavesOut(part)) {
            return;
        }
        try {
            opened.add(Segment.reopen(part.files().segment(), identity));
        } catch (CorruptSegmentException | NoSuchFileException e) {
            say(e);
            parts.remove(part);
        }
    }

    private Compaction.Files files(String name) {
        return new Compaction.Files(folder.resolve(name + SEGMENT), folder.resolve(name + SIDECAR));
    }

    private static String name(Path segment) {
        String file = segment.getFileName().toString();
        return file.substring(0, file.length() - SEGMENT.length());
    }
}
