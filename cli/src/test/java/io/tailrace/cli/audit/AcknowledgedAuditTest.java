package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.segment.Sidecar;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topic generations is another one than the answers were written to, so most of them are not there. */
class AcknowledgedAuditTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    @TempDir
    private Path folder;

    private final TopicsInMemory topics = new TopicsInMemory();
    private DurableStore store;

    @BeforeEach
    void aVersionHoldsTwoAnswersAndOneThatIsWithdrawnAThird() throws Exception {
        store = FlinkFileStore.factory(folder.resolve("store").toUri()).open();
        announce(10, segment("withdrawn"));
        announce(11, segment("a", "b"));
        topics.put(Topic.SNAPSHOTS, LANE + "#10", null);
        account(0);
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    private StoredSegment segment(String... ids) throws Exception {
        List<Compaction.Input> inputs = Stream.of(ids)
                .map(id -> {
                    RequestHash hash = RequestHash.of(id);
                    return new Compaction.Input(
                            new GenerationEntry(hash.high(), hash.low(), "p", 1), new int[] {id.charAt(0), 2});
                })
                .toList();
        Compaction.Result written =
                Compaction.flush(inputs, new SegmentIdentity(LANE.toString(), 200, "t"), folder.resolve("scratch"));
        return SegmentLayout.put(store, LANE.toString(), written.files(), written.summary());
    }

    private void announce(long version, StoredSegment... segments) {
        SegmentReference[] references = Stream.of(segments)
                .map(segment -> new SegmentReference(
                        segment.path(),
                        segment.sha256(),
                        segment.sizeBytes(),
                        SegmentRole.OLDER,
                        2,
                        4L,
                        4L,
                        Instant.EPOCH))
                .toArray(SegmentReference[]::new);
        SnapshotManifest manifest = AuditRecords.manifest(LANE, version, references);
        topics.put(Topic.SNAPSHOTS, LANE + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private void account(long tokensPending) {
        Map<String, Long> numbers =
                Map.of("recordsAdmitted", 2L, "tokensAdmitted", 4L, "tokensLive", 4L, "tokensPending", tokensPending);
        topics.put(Topic.EVENTS, "k", AuditRecords.account(LANE, 1, numbers));
    }

    /** The topic holds them. */
    private void offer(String... ids) {
        for (String id : ids) {
            Generation generation = Generation.newBuilder()
                    .setRequestId(id)
                    .setLane(LANE.toLane())
                    .setProducer("a test")
                    .setResponse(TokenIds.toList(new int[] {id.charAt(0), 2}))
                    .setStartedAt(Instant.EPOCH)
                    .setCompletedAt(Instant.EPOCH)
                    .build();
            topics.put(Topic.GENERATIONS, id, RecordCodec.GENERATION.encode(generation));
        }
    }

    /** @param requestId null: for a quota */
    private void reject(String requestId, long offset) {
        RejectionReason reason = requestId == null ? RejectionReason.QUOTA_EXCEEDED : RejectionReason.TIME_OUT_OF_RANGE;
        Rejection rejection = new Rejection(
                reason, "a test", "generations", 0, offset, requestId, LANE.toLane(), null, Instant.EPOCH);
        topics.put(Topic.REJECTIONS, "k", RecordCodec.REJECTION.encode(rejection));
    }

    private Finding found(boolean complete, String... ids) throws Exception {
        InstallationFacts facts = InstallationFacts.read(topics.openPartitionwise(), false, Set.of(ids));
        return new AcknowledgedAudit(Set.of(ids)).finding(complete, false, facts, store);
    }

    @Test
    void whatTheNewestVersionHoldsIsThere() throws Exception {
        offer("a");
        Finding finding = found(false, "a", "b");
        assertThat(finding.result()).isEqualTo(Finding.Result.OK);
        assertThat(finding.detail())
                .isEqualTo("2 acknowledged, 1 of them on topic generations, 1 more in the newest versions");
    }

    @Test
    void whatIsInNeitherIsMissingAlsoIfAVersionBeforeHeldIt() throws Exception {
        Finding finding = found(false, "a", "withdrawn", "never");
        assertThat(finding.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(finding.detail()).endsWith("1 more in the newest versions; 2 missing: never");
    }

    @Test
    void whereAnswersWaitNobodyKnows() throws Exception {
        account(2);
        Finding finding = found(false, "a", "never");
        assertThat(finding.result()).isEqualTo(Finding.Result.UNKNOWN);
        assertThat(finding.detail())
                .endsWith(
                        "1 in no newest version and not known to be rejected, while 2 tokens have left or wait: never");
    }

    @Test
    void onACompleteTopicWhatIsNotThereIsMissingWhoeverHoldsIt() throws Exception {
        offer("b");
        Finding finding = found(true, "a", "b");
        assertThat(finding.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(finding.detail()).endsWith("1 more in the newest versions; 1 missing: a");
    }

    @Test
    void onACompleteTopicWhatNoVersionHoldsIsMissingUnlessItWasRejected() throws Exception {
        offer("a", "b", "late", "much", "gone");
        reject("late", 2);
        reject(null, 3);
        Finding finding = found(true, "a", "b", "late", "much", "gone");
        assertThat(finding.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(finding.detail()).endsWith("0 more in the newest versions; 1 missing: gone");
        assertThat(found(true, "a", "b", "late", "much").result()).isEqualTo(Finding.Result.OK);
    }

    @Test
    void whatMayHaveLeftByTheAccountsIsNotMissing() throws Exception {
        offer("a", "gone", "gone too");
        account(2);
        Finding one = found(true, "a", "gone");
        assertThat(one.result()).isEqualTo(Finding.Result.OK);
        assertThat(one.detail()).contains("1 in no newest version").contains("2 tokens have left or wait");
        assertThat(found(true, "a", "gone", "gone too").result()).isEqualTo(Finding.Result.FAILED);
        InstallationFacts facts = InstallationFacts.read(topics.openPartitionwise(), false, Set.of("gone"));
        assertThat(new AcknowledgedAudit(Set.of("gone"))
                        .finding(true, true, facts, store)
                        .result())
                .as("while records wait")
                .isEqualTo(Finding.Result.UNKNOWN);
    }

    @Test
    void whatAVersionHoldsTwiceFails() throws Exception {
        offer("a", "b");
        announce(12, segment("a", "b"), segment("b"));
        Finding finding = found(true, "a", "b");
        assertThat(finding.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(finding.detail()).endsWith("; 1 in a version more than once: b");
    }

    /** Turns a bit of a segment's sidecar in the store. */
    private void rot(String segmentSha256) throws IOException {
        for (DurableStore.StoredFile file : store.list(SegmentLayout.folder(LANE.toString()))) {
            Path stored = folder.resolve("store").resolve(file.path());
            if (file.path().endsWith(".sidecar")
                    && Sidecar.read(stored).segmentSha256().equals(segmentSha256)) {
                byte[] bytes = Files.readAllBytes(stored);
                bytes[bytes.length / 2] ^= 1;
                Files.write(stored, bytes);
            }
        }
    }

    private List<Finding> audit(String... ids) throws IOException {
        URI root = folder.resolve("store").toUri();
        return new Audit(topics::openPartitionwise, root, false, Duration.ofMinutes(15), Set.of(ids), List.of()).run();
    }

    private static Finding of(List<Finding> findings, String lane, String check) {
        return findings.stream()
                .filter(finding ->
                        finding.lane().equals(lane) && finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDamagedSidecarIsAFindingOfItsLaneAndTheAuditGoesOn() throws Exception {
        LaneId other = LaneId.parse("toy@1/other");
        topics.put(
                Topic.SNAPSHOTS, other + "#12", RecordCodec.SNAPSHOT_MANIFEST.encode(AuditRecords.manifest(other, 12)));
        StoredSegment newest = segment("a", "b");
        rot(newest.sha256());
        List<Finding> findings = audit("a", "b");
        Finding files = of(findings, LANE.toString(), "files");
        assertThat(files.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(files.detail()).isEqualTo("1 files: " + newest.sidecarPath() + " is damaged");
        Finding acknowledged = of(findings, "", "acknowledged");
        assertThat(acknowledged.result())
                .as("they may be in what cannot be read")
                .isEqualTo(Finding.Result.UNKNOWN);
        assertThat(acknowledged.detail()).endsWith("; 1 sidecars of newest versions are damaged");
        assertThat(of(findings, other.toString(), "files").result()).isEqualTo(Finding.Result.OK);
    }

    @Test
    void aDamagedSidecarThatNoNewestVersionNeedsIsLeftOut() throws Exception {
        rot(segment("withdrawn").sha256());
        List<Finding> findings = audit("a", "b");
        assertThat(of(findings, "", "acknowledged").result()).isEqualTo(Finding.Result.OK);
        assertThat(of(findings, LANE.toString(), "files").result()).isEqualTo(Finding.Result.OK);
    }

    /** Gives the first file that is asked for, and fails then. */
    private final class FailingStore implements DurableStore {
        private Path given;

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            if (given != null) {
                throw new IOException("the store is gone");
            }
            store.fetch(path, localFile);
            given = localFile;
        }

        @Override
        public List<StoredFile> list(String of) throws IOException {
            return store.list(of);
        }

        @Override
        public void put(Path localFile, String path, String sha256) {
            throw new AssertionError("an audit puts " + path);
        }

        @Override
        public void delete(String path) {
            throw new AssertionError("an audit deletes " + path);
        }
    }

    @Test
    void copiesGoAndTheCauseStaysWhereTheStoreFails() throws Exception {
        announce(12, segment("a"), segment("b"));
        InstallationFacts facts = InstallationFacts.read(topics.openPartitionwise(), true, Set.of("a"));
        FailingStore sidecars = new FailingStore();
        assertThatThrownBy(() -> new AcknowledgedAudit(Set.of("a")).finding(true, false, facts, sidecars))
                .hasMessage("the store is gone");
        assertThat(sidecars.given.getParent()).doesNotExist();
        FailingStore segments = new FailingStore();
        StoredFiles stored = new StoredFiles(segments, facts.lanes().iterator().next());
        assertThatThrownBy(stored::readAll).hasMessage("the store is gone");
        assertThat(segments.given.getParent()).doesNotExist();
    }

    @Test
    void recordsOfTopicsBeforeAreNotOfThisOne() {
        RecordsAccount moved = account(105, 100, 5, 90, true);
        assertThat(Books.records(moved, 15).result()).isEqualTo(Finding.Result.OK);
        assertThat(Books.records(moved, 14).result()).isEqualTo(Finding.Result.FAILED);
        assertThat(Books.records(account(100, 100, 0, 0, false), 14).result())
                .as("the job has not said yet what was before")
                .isEqualTo(Finding.Result.UNKNOWN);
        assertThat(Books.records(moved, 17).detail())
                .contains("90 of them on topics before this one", "at most 2 wait");
    }

    private static RecordsAccount account(long passed, long taken, long lost, long before, boolean told) {
        Map<String, Long> numbers =
                Map.of("recordsPassed", passed, "recordsTaken", taken, "recordsLost", lost, "recordsBefore", before);
        return new RecordsAccount(taken, numbers, told);
    }

    @Test
    void oneRecordThatIsInNoAccountFailsAndTheShortSideIsNamed() {
        Finding swallowed = Books.records(account(106, 100, 5, 0, true), 1_000);
        assertThat(swallowed.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(swallowed.detail()).contains("; of 106 that the job has passed, 1 are in no account;");
        Finding invented = Books.records(account(104, 100, 5, 0, true), 1_000);
        assertThat(invented.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(invented.detail()).contains("; the job has passed 104, and its accounts name 1 more;");
    }
}
