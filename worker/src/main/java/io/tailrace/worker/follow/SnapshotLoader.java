package io.tailrace.worker.follow;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.lane.LaneIndex;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns a manifest into a mapped snapshot, or changes nothing. Safe for any number of threads. */
public final class SnapshotLoader implements AutoCloseable {
    /** One newest and three older. */
    private static final int SEGMENTS_MAX = 4;

    private final ServedModel model;
    private final SegmentStore store;
    private final SegmentFetcher fetcher;
    private final MappedSegments mapped;

    SnapshotLoader(ServedModel model, SegmentStore store, Path cacheFolder, long cacheBytesMax, SegmentOpener opener)
            throws IOException {
        this.model = model;
        this.store = store;
        this.fetcher = new SegmentFetcher(store, cacheFolder, cacheBytesMax, opener);
        this.mapped = new MappedSegments(fetcher);
    }

    /** A loader of the product's segments. */
    public static SnapshotLoader create(ServedModel model, SegmentStore store, Path cacheFolder, long cacheBytesMax)
            throws IOException {
        return new SnapshotLoader(model, store, cacheFolder, cacheBytesMax, SegmentOpener.segments());
    }

    /** True if loading the manifest means downloading. */
    boolean mustDownload(SnapshotManifest manifest) {
        return manifest.getSegments().stream().anyMatch(fetcher::isMissing);
    }

    /**
     * Fetches, checks and maps what the manifest names.
     *
     * @param fresh the worker's own newest generations, or null
     */
    LoadedSnapshot load(SnapshotManifest manifest, OccurrenceIndex fresh) throws IOException, RefusedSnapshotException {
        check(manifest);
        DraftPolicy policy = policy(manifest);
        SegmentIdentity identity = model.identity(LaneId.of(manifest.getLane()));
        List<String> held = new ArrayList<>();
        boolean complete = false;
        try {
            LaneIndex index = index(manifest, identity, fresh, held);
            complete = true;
            long learnedAt = manifest.getPolicy().getLearnedAt().toEpochMilli();
            return new LoadedSnapshot(
                    manifest.getVersion(), policy, learnedAt, index, () -> held.forEach(mapped::release));
        } finally {
            if (!complete) {
                held.forEach(mapped::release);
            }
        }
    }

    /** Keeps the local folder within its bound. */
    void evict() throws IOException {
        fetcher.evict(mapped::isMapped);
    }

    private LaneIndex index(
            SnapshotManifest manifest, SegmentIdentity identity, OccurrenceIndex fresh, List<String> held)
            throws IOException {
        List<OccurrenceIndex> older = new ArrayList<>();
        OccurrenceIndex newest = null;
        for (SegmentReference reference : manifest.getSegments()) {
            OccurrenceIndex segment = mapped.acquire(reference, identity);
            held.add(reference.getSha256());
            if (reference.getRole() == SegmentRole.NEWEST) {
                newest = segment;
            } else {
                older.add(segment);
            }
        }
        return new LaneIndex(older, newest, fresh);
    }

    private void check(SnapshotManifest manifest) throws RefusedSnapshotException {
        refuseUnless(
                model.serves(manifest.getLane()),
                manifest,
                "lane of " + model.model() + "@" + model.revision(),
                LaneId.of(manifest.getLane()).toString(),
                "follow the topic of this worker's model");
        refuseUnless(
                manifest.getTokenizerFingerprint().equals(model.tokenizerFingerprint()),
                manifest,
                "tokenizer " + model.tokenizerFingerprint(),
                manifest.getTokenizerFingerprint(),
                "give worker and job the same tokenizer, or the model another revision");
        refuseUnless(
                manifest.getVocabularySize() == model.vocabularySize(),
                manifest,
                "vocabulary size " + model.vocabularySize(),
                Integer.toString(manifest.getVocabularySize()),
                "give worker and job the same vocabulary size");
        long newest = manifest.getSegments().stream()
                .filter(s -> s.getRole() == SegmentRole.NEWEST)
                .count();
        refuseUnless(
                newest <= 1 && manifest.getSegments().size() <= SEGMENTS_MAX,
                manifest,
                "one newest and at most three older segments",
                manifest.getSegments().size() + " segments, " + newest + " newest",
                "upgrade the worker before the job");
    }

    private static void refuseUnless(
            boolean condition, SnapshotManifest manifest, String expected, String got, String remedy)
            throws RefusedSnapshotException {
        if (!condition) {
            throw new RefusedSnapshotException(
                    "snapshot %d refused: expected %s, got %s; the version before stays live; %s"
                            .formatted(manifest.getVersion(), expected, got, remedy));
        }
    }

    /** Limits of the policy are clamped: a number beyond them must not cost a lane its snapshot. */
    private static DraftPolicy policy(SnapshotManifest manifest) throws RefusedSnapshotException {
        Policy policy = manifest.getPolicy();
        List<Float> given = policy.getWeights();
        float[] weights = new float[given.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = given.get(i);
        }
        checkWeights(manifest, weights);
        int budgetMax = Math.max(0, Math.min(DraftPolicy.BUDGET_MAX, policy.getBudgetMax()));
        float floor = Math.max(0f, Math.min(1f, policy.getProbabilityFloor()));
        return new DraftPolicy(policy.getEnabled(), budgetMax, floor, policy.getWeightsLayout(), weights);
    }

    private static void checkWeights(SnapshotManifest manifest, float[] weights) throws RefusedSnapshotException {
        if (weights.length == 0 || manifest.getPolicy().getWeightsLayout() != Mixer.LAYOUT) {
            return;
        }
        try {
            Mixer.of(weights);
        } catch (IllegalArgumentException e) {
            refuseUnless(
                    false,
                    manifest,
                    "weights of mixer layout " + Mixer.LAYOUT,
                    weights.length + " (" + e.getMessage() + ")",
                    "run worker and job of the same release");
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
