package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.snapshot.HeldSegments;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFile;
import io.tailrace.suffix.snapshot.SegmentFolder;
import io.tailrace.suffix.snapshot.SegmentOpener;
import io.tailrace.suffix.snapshot.SegmentSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a manifest into a mapped snapshot, or changes nothing. Safe for any number of threads. */
final class SnapshotLoader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotLoader.class);

    private final ServedModel model;
    private final SegmentStore store;
    private final SegmentFolder folder;
    private final MappedSegments mapped;

    SnapshotLoader(ServedModel model, SegmentStore store, Path cacheFolder, long cacheBytesMax, SegmentOpener opener)
            throws IOException {
        this.model = model;
        this.store = store;
        this.folder =
                new SegmentFolder(source(store), cacheFolder, cacheBytesMax, opener, SnapshotLoader::warnOfDamage);
        this.mapped = new MappedSegments(folder);
    }

    /** A loader of the product's segments. */
    static SnapshotLoader create(ServedModel model, SegmentStore store, Path cacheFolder, long cacheBytesMax)
            throws IOException {
        return new SnapshotLoader(model, store, cacheFolder, cacheBytesMax, SegmentOpener.segments());
    }

    private static SegmentSource source(SegmentStore store) {
        return new SegmentSource() {
            @Override
            public void download(SegmentFile file, Path target) throws IOException {
                store.download(file.path(), file.sizeBytes(), target);
            }

            @Override
            public String toString() {
                return store.toString();
            }
        };
    }

    private static SegmentFile file(SegmentReference reference) {
        return new SegmentFile(reference.getPath(), reference.getSha256(), reference.getSizeBytes());
    }

    private static void warnOfDamage(String sha256, CorruptSegmentException damage) {
        LOG.warn("segment {} was damaged on this disk, fetching it again: {}", sha256, damage.getMessage());
    }

    /** What loading the manifest means downloading. */
    long missingBytes(SnapshotManifest manifest) {
        return manifest.getSegments().stream()
                .map(SnapshotLoader::file)
                .filter(folder::isMissing)
                .mapToLong(SegmentFile::sizeBytes)
                .sum();
    }

    /**
     * Fetches, checks and maps what the manifest names.
     *
     * @param fresh the worker's own newest generations, or null
     */
    LoadedSnapshot load(SnapshotManifest manifest, OccurrenceIndex fresh) throws IOException, RefusedException {
        check(manifest);
        DraftPolicy policy = policy(manifest);
        SegmentIdentity identity = model.identity(LaneId.of(manifest.getLane()));
        List<SegmentFile> files =
                manifest.getSegments().stream().map(SnapshotLoader::file).toList();
        LoadedSnapshot.Learned learned = learned(manifest);
        HeldSegments held = HeldSegments.acquire(mapped, files, identity);
        boolean complete = false;
        try {
            LoadedSnapshot snapshot = new LoadedSnapshot(
                    manifest.getVersion(),
                    policy,
                    learned,
                    held.index(newest(manifest), fresh),
                    held::release,
                    () -> files.forEach(file -> discardDamaged(file.sha256())));
            complete = true;
            return snapshot;
        } finally {
            if (!complete) {
                held.release();
            }
        }
    }

    /** Place of the newest segment; -1: there is none. */
    private static int newest(SnapshotManifest manifest) {
        return manifest.getSegments().stream()
                .map(SegmentReference::getRole)
                .toList()
                .indexOf(SegmentRole.NEWEST);
    }

    /** Whoever drafts from it now keeps what is mapped; the next load shares it no more. */
    private void discardDamaged(String sha256) {
        mapped.forget(sha256);
        discard(sha256);
    }

    private void discard(String sha256) {
        try {
            folder.discard(sha256);
        } catch (IOException e) {
            LOG.warn("segment {} cannot be deleted from this disk: {}", sha256, e.toString());
        }
    }

    /** Deletes a file of a withdrawn version from this disk, unless somebody drafts from it; false: later. */
    boolean forget(String sha256) {
        if (mapped.isMapped(sha256)) {
            return false;
        }
        discard(sha256);
        return true;
    }

    /**
     * Deletes this model's files from this disk that nothing names and nobody drafts from.
     *
     * @return how many
     */
    int sweep(Set<String> named) throws IOException {
        return folder.sweep(named, mapped::isMapped, this::isOwn);
    }

    private boolean isOwn(SegmentIdentity identity) {
        try {
            return model.serves(LaneId.parse(identity.lane()).toLane());
        } catch (IllegalArgumentException noLaneOfAFleet) {
            return false;
        }
    }

    /** Keeps the local folder within its bound. */
    void evict() throws IOException {
        folder.evict(mapped::isMapped);
    }

    private void check(SnapshotManifest manifest) throws RefusedException {
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
                newest <= 1 && manifest.getSegments().size() <= LoadedSnapshot.SEGMENTS_MAX,
                manifest,
                "one newest and at most three older segments",
                manifest.getSegments().size() + " segments, " + newest + " newest",
                "upgrade the worker before the job");
    }

    private static void refuseUnless(
            boolean condition, SnapshotManifest manifest, String expected, String got, String remedy)
            throws RefusedException {
        if (!condition) {
            throw new RefusedException("snapshot %d refused: expected %s, got %s; the version before stays live; %s"
                    .formatted(manifest.getVersion(), expected, got, remedy));
        }
    }

    /** Limits of the policy are clamped, and no number is the default one: what is beyond them must not cost a lane its snapshot. */
    private static DraftPolicy policy(SnapshotManifest manifest) throws RefusedException {
        Policy policy = manifest.getPolicy();
        List<Float> given = policy.getWeights();
        float[] weights = new float[given.size()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = given.get(i);
        }
        checkWeights(manifest, weights);
        int budgetMax = Math.max(0, Math.min(DraftPolicy.BUDGET_MAX, policy.getBudgetMax()));
        float floor = Float.isNaN(policy.getProbabilityFloor())
                ? DraftPolicy.defaults().probabilityFloor()
                : Math.max(0f, Math.min(1f, policy.getProbabilityFloor()));
        return new DraftPolicy(policy.getEnabled(), budgetMax, floor, policy.getWeightsLayout(), weights);
    }

    private static LoadedSnapshot.Learned learned(SnapshotManifest manifest) {
        return new LoadedSnapshot.Learned(
                manifest.getPolicy().getLearnedAt().toEpochMilli(),
                AnnouncedCurves.of(manifest.getPolicy().getCostCurve()),
                manifest.getDrift() != null && manifest.getDrift().getAlarm());
    }

    private static void checkWeights(SnapshotManifest manifest, float[] weights) throws RefusedException {
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

    /** A manifest that this worker must not serve, now or later. Says rule, expected, got and remedy. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
