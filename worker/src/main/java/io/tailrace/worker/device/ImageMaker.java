package io.tailrace.worker.device;

import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Makes of one lane's snapshots what goes to a device: the mapped segments' bytes, and the fresh generations as one
 * more segment, written to a scratch folder and dropped after the upload. One thread.
 *
 * <p>That segment is not quite what the host searches, a {@link FreshIndex}. The places found match equally long, and where no more
 * than are wanted match at all they are the same places. But among places that match equally long the host takes those of later
 * answers first, and the device goes by what stands before the match, so that their order differs, and which of those are taken that
 * match no longer than the last one taken. And an answer that was given several times stands in a segment once. With each upload that
 * segment is another text, so that a request leaves the fresh answers that it followed, and finds them again where it goes on matching them;
 * the host leaves them only when they are gone. So where fresh answers vote, a draft on
 * the device may differ from the host's; what is said does not depend on drafts.
 */
final class ImageMaker {
    private final SegmentIdentity identity;
    private final Path scratch;
    /** A mapped segment keeps its name, so that the device recognises it. */
    private IdentityHashMap<Segment, String> names = new IdentityHashMap<>();

    private long named;

    ImageMaker(SegmentIdentity identity, Path scratch) {
        this.identity = identity;
        this.scratch = scratch;
    }

    /** An image, valid until it is closed, and as long as the snapshot is leased. */
    record Image(SnapshotImage snapshot, Segment fresh, Compaction.Files files) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (fresh != null) {
                fresh.close();
                Files.deleteIfExists(files.segment());
                Files.deleteIfExists(files.sidecar());
            }
        }
    }

    /**
     * The image of a leased snapshot.
     *
     * @throws IllegalArgumentException if it holds what a device cannot search
     */
    Image of(LoadedSnapshot snapshot) throws IOException {
        LaneIndex index = snapshot.index();
        IdentityHashMap<Segment, String> before = names;
        names = new IdentityHashMap<>();
        List<SnapshotImage.Part> parts = new ArrayList<>();
        for (OccurrenceIndex older : index.older()) {
            parts.add(part(SourceKind.OLDER, older, before));
        }
        if (index.newest() != null) {
            parts.add(part(SourceKind.NEWEST, index.newest(), before));
        }
        Compaction.Files files = fresh(index.fresh());
        Segment fresh = files == null ? null : Segment.reopen(files.segment(), identity);
        if (fresh != null) {
            parts.add(part(SourceKind.FRESH, fresh, before));
        }
        DraftPolicy policy = snapshot.policy();
        SnapshotImage image =
                new SnapshotImage(parts, index.vocabulary(), policy.effectiveWeights(), policy.probabilityFloor());
        return new Image(image, fresh, files);
    }

    /** The image of a lane without any answers. */
    static SnapshotImage empty(DraftPolicy policy) {
        return new SnapshotImage(List.of(), LaneVocabulary.EMPTY, policy.effectiveWeights(), policy.probabilityFloor());
    }

    private SnapshotImage.Part part(SourceKind kind, OccurrenceIndex index, IdentityHashMap<Segment, String> before) {
        if (!(index instanceof Segment segment)) {
            throw new IllegalArgumentException("a device searches segments, not " + index.getClass());
        }
        String name = before.containsKey(segment) ? before.get(segment) : "part-" + named++;
        names.put(segment, name);
        return new SnapshotImage.Part(kind, name, segment.bytes());
    }

    /**
     * The fresh generations as a segment; null if there are none. With the prompts' tails, which matches reach back into, and neither signatures
     * nor copied tokens: a device reads none of a segment, and fresh ones are not counted for the lane's vocabulary.
     */
    private Compaction.Files fresh(OccurrenceIndex index) throws IOException {
        if (!(index instanceof FreshIndex own)) {
            return null;
        }
        List<Compaction.Input> inputs = new ArrayList<>();
        for (RememberedAnswer answer : own.answers()) {
            RememberedAnswer searched = new RememberedAnswer(answer.promptTail(), answer.tokens());
            inputs.add(new Compaction.Input(new GenerationEntry(0, inputs.size(), "", 0), searched));
        }
        return inputs.isEmpty()
                ? null
                : Compaction.flush(inputs, identity, scratch).files();
    }
}
