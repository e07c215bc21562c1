package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers write, what this program is too old for, and what happens while it reads does not make an audit green, dead or dangerous. */
final class AuditTest {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long NOW = System.currentTimeMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();

    @TempDir
    private Path store;

    @TempDir
    private Path copies;

    private TopicsInMemory topics = new TopicsInMemory();

    @BeforeEach
    void theJobHasAccounted() {
        account(null, Map.of());
    }

    private void account(LaneId lane, Map<String, Long> numbers) {
        topics.put(Topic.EVENTS, "k", AuditRecords.account(lane, 1, numbers));
    }

    private static byte[] manifest(long version, SegmentReference... segments) {
        return RecordCodec.SNAPSHOT_MANIFEST.encode(AuditRecords.manifest(LANE, version, segments));
    }

    private void announce(long version, SegmentReference... segments) {
        topics.put(Topic.SNAPSHOTS, LANE + "#" + version, manifest(version, segments));
    }

    private static byte[] delete(long issuedAt) {
        return AuditRecords.delete("acme", issuedAt);
    }

    private List<Finding> run() throws IOException {
        return run(topics::openPartitionwise);
    }

    private List<Finding> run(Supplier<LoopTopics> opened) throws IOException {
        return new Audit(opened, store.toUri(), false, Duration.ofMinutes(15), Set.of(), List.of(copies)).run();
    }

    private static Finding of(List<Finding> findings, String check) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError(check + " is not in " + findings));
    }

    /** A file by its content, in a folder of copies. */
    private String copy(String content) throws IOException {
        Path file = Files.writeString(copies.resolve("new"), content);
        String sha256 = FileHash.sha256(file);
        Files.move(file, copies.resolve(sha256 + ".segment"));
        return sha256;
    }

    private static String path(String sha256) {
        return SegmentLayout.segmentPath(LANE.toString(), sha256);
    }

    private static SegmentReference reference(String path, String sha256, String content) {
        return new SegmentReference(
                path, sha256, (long) content.length(), SegmentRole.NEWEST, 1, 1L, 1L, Instant.EPOCH);
    }

    @Test
    void aKeyThatNamesNoLaneIsSaidAndIsNoFact() throws IOException {
        announce(NOW - 5_000);
        topics.put(Topic.SNAPSHOTS, "junk#5", null);
        topics.put(Topic.SNAPSHOTS, "../../x#5", null);
        topics.put(Topic.SNAPSHOTS, "toy@1/other#" + (NOW - 4_000), manifest(NOW - 4_000));
        topics.put(Topic.CONTROL, "c", delete(NOW - 1_000));
        List<Finding> findings = run();
        assertThat(findings).extracting(Finding::lane).containsOnly("", LANE.toString());
        assertThat(of(findings, "readable").result()).isEqualTo(Finding.Result.UNKNOWN);
        assertThat(of(findings, "readable").detail())
                .startsWith("3 records")
                .contains("snapshots-0 at offset 1, lane must read");
    }

    @Test
    void junkIsSaidAndTheOtherChecksHold() throws IOException {
        announce(NOW - 5_000);
        account(LANE, Map.of("tokensAdmitted", 1L, "tokensLive", 1L));
        topics.put(Topic.CONTROL, "c", new byte[] {1, 2, 3});
        topics.put(Topic.EVENTS, "e", new byte[0]);
        List<Finding> findings = run();
        assertThat(of(findings, "readable").result()).isEqualTo(Finding.Result.UNKNOWN);
        assertThat(of(findings, "readable").detail()).startsWith("2 records");
        assertThat(findings)
                .filteredOn(finding -> !finding.check().equals("readable"))
                .extracting(Finding::result)
                .containsOnly(Finding.Result.OK);
        assertThat(AuditCommand.exitCode(findings, true)).isEqualTo(ExitCodes.DONE);
    }

    @Test
    void whatTakesTheKeyOfJunkHealsIt() throws IOException {
        topics.put(Topic.SNAPSHOTS, LANE + "#" + (NOW - 5_000), new byte[] {1, 2, 3});
        assertThat(of(run(), "readable").result()).isEqualTo(Finding.Result.UNKNOWN);
        topics.put(Topic.SNAPSHOTS, LANE + "#" + (NOW - 5_000), null);
        assertThat(of(run(), "readable").result()).isEqualTo(Finding.Result.OK);
    }

    /** Without keys anybody may have written it: topic control keeps it for ever, and an audit that fails for ever says nothing. */
    @Test
    void aRecordThatLooksLikeANewerProgramsIsSaidAndFailsNothing() throws IOException {
        topics.put(Topic.CONTROL, "c", newer());
        topics.put(Topic.EVENTS, "e", newer());
        List<Finding> findings = run();
        assertThat(of(findings, "readable").result()).isEqualTo(Finding.Result.UNKNOWN);
        assertThat(of(findings, "readable").detail()).startsWith("2 records").contains("upgrade the reader");
        assertThat(AuditCommand.exitCode(findings, false)).isEqualTo(ExitCodes.DONE);
    }

    private static byte[] newer() {
        byte[] newer = delete(NOW - 10 * DAY);
        newer[5] ^= 1;
        return newer;
    }

    @Test
    void whereKeysAreKnownWhatStrangersWriteFailsNothing() throws IOException {
        topics = new TopicsInMemory(RecordSigner.generated());
        account(null, Map.of());
        byte[] key = {1};
        byte[] signed = RecordSigner.generated().sign(Topic.CONTROL.name(""), key, newer());
        topics.put(Topic.CONTROL.name(""), key, newer(), NOW, signed);
        topics.put(Topic.EVENTS.name(""), key, newer(), NOW, null);
        byte[] forged = AuditRecords.account(null, 1, Map.of("recordsPassed", 1L));
        topics.put(Topic.EVENTS.name(""), key, forged, NOW, null);
        List<Finding> findings = run();
        assertThat(of(findings, "readable").result()).isEqualTo(Finding.Result.UNKNOWN);
        assertThat(of(findings, "readable").detail()).startsWith("3 records");
        assertThat(of(findings, "records").result()).isEqualTo(Finding.Result.OK);
        assertThat(AuditCommand.exitCode(findings, false)).isEqualTo(ExitCodes.DONE);
    }

    /** A delete that waits may be in it. */
    @Test
    void aSignedRecordOfANewerProgramFails() throws IOException {
        topics = new TopicsInMemory(RecordSigner.generated());
        topics.put(Topic.CONTROL, "junk", new byte[] {1, 2, 3});
        topics.put(Topic.CONTROL, "c", newer());
        List<Finding> findings = run();
        assertThat(of(findings, "readable").result()).isEqualTo(Finding.Result.FAILED);
        assertThat(of(findings, "readable").detail()).contains("control-0 at offset 1", "upgrade the reader");
        assertThat(AuditCommand.exitCode(findings, false)).isEqualTo(ExitCodes.FELL_SHORT);
    }

    /** Its versions are of a newer program, or signed by a key that is not trusted. */
    @Test
    void aLaneOfLiveTokensWithoutAVersionFails() throws IOException {
        account(LANE, Map.of("tokensAdmitted", 1_000L, "tokensLive", 1_000L));
        Finding versions = of(run(), "versions rise");
        assertThat(versions.result()).isEqualTo(Finding.Result.FAILED);
        assertThat(versions.detail()).endsWith("0 not withdrawn, although 1,000 tokens are live");
    }

    @Test
    void anAuditWhoseClockIsBehindReadsWhatTheBrokersTook() throws IOException {
        account(LANE, Map.of("tokensAdmitted", 1_000L, "tokensLive", 1_000L));
        long version = NOW + DAY;
        topics.put(Topic.SNAPSHOTS.name(""), LANE + "#" + version, manifest(version), NOW + DAY);
        assertThat(run()).extracting(Finding::result).containsOnly(Finding.Result.OK);
        long ahead = NOW + 2 * DAY;
        topics.put(Topic.SNAPSHOTS.name(""), LANE + "#" + ahead, manifest(ahead), NOW + DAY);
        assertThat(of(run(), "readable").detail()).contains("ahead of this clock");
    }

    /** Whoever may write to topic snapshots can name any path and any hash. */
    @Test
    void aGoodFileIsNotOverwrittenByAnother() throws IOException {
        String good = "the good file";
        String other = "another, longer file, which a worker has";
        String goodHash = copy(good);
        String otherHash = copy(other);
        Path there = store.resolve(path(goodHash));
        Files.createDirectories(there.getParent());
        Files.writeString(there, good);
        announce(1_000, reference(path(goodHash), otherHash, other));
        announce(NOW - 1_000, reference(path(goodHash), goodHash, good));
        assertThat(of(run(), "files").result()).isEqualTo(Finding.Result.FAILED);
        assertThat(there).hasContent(good);
        Files.delete(there);
        assertThat(of(run(), "files").detail()).contains("2 files, 1 of them written again");
        assertThat(there).hasContent(good);
    }

    /** An audit reads the topics first, and the store for as long as it takes: meanwhile the job withdraws versions and sweeps their files. */
    @Test
    void whatIsWithdrawnMeanwhileIsNeitherMissedNorWrittenAgain() throws IOException {
        String deleted = "deleted text";
        String sha256 = copy(deleted);
        announce(NOW - 1_000, reference(path(sha256), sha256, deleted));
        int[] opened = new int[1];
        Supplier<LoopTopics> withdrawing = () -> {
            if (++opened[0] == 2) {
                topics.put(Topic.SNAPSHOTS, LANE + "#" + (NOW - 1_000), null);
            }
            return topics.openPartitionwise();
        };
        assertThat(of(run(withdrawing), "files").result()).isEqualTo(Finding.Result.OK);
        assertThat(store.resolve(path(sha256))).doesNotExist();
        announce(NOW, reference(path(sha256), sha256, deleted));
        assertThat(of(run(), "files").detail()).isEqualTo("1 files, 1 of them written again from copies");
        assertThat(store.resolve(path(sha256))).hasContent(deleted);
    }
}
