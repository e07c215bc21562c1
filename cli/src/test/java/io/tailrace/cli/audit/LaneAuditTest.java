package io.tailrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LaneAuditTest {
    private static final String LANE = "toy@1/acme";
    private static final int LIVES = 2_000;
    private static final long DAY = 86_400_000;

    private final LaneFacts facts = new LaneFacts(LANE);
    private final LaneAudit audit = new LaneAudit(facts);

    @Test
    void tokensCloseOrDoNot() {
        assertThat(audit.tokens().result()).isEqualTo(Finding.Result.UNKNOWN);
        facts.accounted(numbers(95, 60, 10, 15, 10, 0), 1, 0);
        assertThat(audit.tokens().result()).isEqualTo(Finding.Result.OK);
        facts.accounted(numbers(100, 60, 10, 15, 10, 5), 1, 0);
        assertThat(audit.tokens().result()).isEqualTo(Finding.Result.LOST);
        facts.accounted(numbers(101, 60, 10, 15, 10, 5), 1, 0);
        assertThat(audit.tokens().result()).isEqualTo(Finding.Result.FAILED);
        assertThat(audit.tokens().detail())
                .isEqualTo("101 admitted; 60 live, 10 pending, 15 expired, 10 deleted, 5 lost");
    }

    @Test
    void versionsRiseOrDoNot() {
        facts.announced(manifest(10));
        facts.announced(manifest(12));
        facts.withdrawn(10);
        assertThat(audit.versions().result()).isEqualTo(Finding.Result.OK);
        assertThat(audit.versions().detail()).isEqualTo("2 announced, 1 not withdrawn");
        facts.announced(manifest(11));
        assertThat(audit.versions().result()).isEqualTo(Finding.Result.FAILED);
        assertThat(audit.versions().detail()).endsWith(": 11 after 12");
    }

    /** Its job numbers on by its own clock until it hears of the claim. */
    @Test
    void whatASupersededJobAnnouncedIsNoVersion() {
        facts.announced(ofEpoch(10, 1));
        facts.announced(ofEpoch(30, 1));
        facts.announced(ofEpoch(20, 2));
        facts.announced(ofEpoch(31, 1));
        facts.announced(ofEpoch(21, 2));
        assertThat(facts.versions().keySet()).containsExactly(10L, 20L, 21L);
        assertThat(audit.versions().result()).as("20 after 30").isEqualTo(Finding.Result.OK);
        facts.announced(ofEpoch(15, 2));
        assertThat(audit.versions().result()).isEqualTo(Finding.Result.FAILED);
        assertThat(audit.versions().detail()).endsWith(": 15 after 21");
    }

    @Test
    void theNewestAccountOfTheLatestEpochCounts() {
        facts.accounted(numbers(1, 1, 0, 0, 0, 0), 1, 0);
        facts.accounted(numbers(2, 2, 0, 0, 0, 0), 2, 0);
        facts.accounted(numbers(9, 0, 0, 0, 0, 0), 1, 0);
        assertThat(facts.account()).containsEntry("tokensAdmitted", 2L);
        facts.accounted(numbers(3, 3, 0, 0, 0, 0), 2, 0);
        assertThat(facts.account()).containsEntry("tokensAdmitted", 3L);
    }

    @Test
    void filesAreThereWithTheirSizeAndTheirBytes() {
        facts.announced(manifest(1, "a", "b"));
        facts.announced(manifest(2, "b", "c"));
        Map<String, Long> store = new HashMap<>(Map.of("a", 7L, "b", 7L, "c", 7L, "unnamed", 1L));
        assertThat(files(store, Set.of())).isEqualTo(new Finding(LANE, "files", Finding.Result.OK, "3 files"));
        store.put("a", 6L);
        store.remove("c");
        assertThat(files(store, Set.of("b")).detail())
                .isEqualTo("3 files: a has 6 bytes, expected 7; b is damaged; c is not there");
        assertThat(audit.files(List.of("b is damaged"), 2).detail())
                .isEqualTo("3 files, 2 of them written again from copies: b is damaged");
        facts.withdrawn(1);
        assertThat(files(Map.of("b", 7L, "c", 7L), Set.of()).result()).isEqualTo(Finding.Result.OK);
    }

    @Test
    void aDeleteMayWaitSoLongAndNoLonger() {
        Duration max = Duration.ofSeconds(10);
        assertThat(audit.deletes(50_000, max).detail()).isEqualTo("none waits");
        facts.command(delete(40_000));
        assertThat(audit.deletes(50_000, max).result()).isEqualTo(Finding.Result.OK);
        assertThat(audit.deletes(50_001, max).result()).isEqualTo(Finding.Result.FAILED);
        facts.deleted(40_000);
        assertThat(audit.deletes(90_000, max).result()).isEqualTo(Finding.Result.OK);
    }

    /** Against the dull count of a lane in which answers are given, repeated, lost with a name and without one, and doubled. */
    @Test
    void everyAnswerIsWhereItShouldBe() {
        int found = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            LaneFacts lane = new LaneFacts(LANE);
            Map<TokensHash, Integer> held = new HashMap<>();
            long left = 0;
            boolean wrong = false;
            boolean damages = seed % 2 == 1;
            for (int i = 0; i < 30; i++) {
                int[] tokens = {random.nextInt(10), random.nextInt(2)};
                TokensHash hash = TokensHash.of(tokens);
                lane.offered("r" + i, hash, tokens.length, 0, i, 0);
                if (random.nextInt(10) == 0) {
                    lane.offered("r" + i, hash, tokens.length, 0, i, 0); // by a producer that tried again
                }
                int times = 1;
                if (random.nextInt(8) == 0) {
                    times = 0;
                    left += tokens.length;
                }
                held.merge(hash, times, Integer::sum);
            }
            if (damages && random.nextBoolean()) {
                TokensHash foreign = TokensHash.of(new int[] {99});
                held.put(foreign, 1);
                wrong = true;
            } else if (damages) {
                TokensHash some = held.keySet().iterator().next();
                if (held.get(some) > 0 && left == 0) {
                    held.merge(some, -1, Integer::sum);
                    wrong = true;
                }
            }
            lane.accounted(numbers(0, 0, 0, left, 0, 0), 1, 0);
            Finding finding = new LaneAudit(lane).answers(held, true, false);
            assertThat(finding.result())
                    .as("seed %d: %s", seed, finding)
                    .isEqualTo(wrong ? Finding.Result.FAILED : Finding.Result.OK);
            found += wrong ? 1 : 0;
        }
        assertThat(found).isGreaterThan(LIVES / 5);
    }

    /** Offsets 0 to 4 are in the version; the answer at offset 3 waits in another shard, by the account before the last. */
    @Test
    void whileRecordsWaitThoseBehindTheVersionAreNotMissedAndAtRestTheyAre() {
        facts.announced(upTo(4));
        Map<TokensHash, Integer> held = new HashMap<>();
        for (int i = 0; i < 7; i++) {
            TokensHash hash = TokensHash.of(new int[] {i});
            facts.offered("r" + i, hash, 1, 0, i, 0);
            if (i < 5 && i != 3) {
                held.put(hash, 1);
            }
        }
        facts.accounted(numbers(5, 4, 1, 0, 0, 0), 1, 0);
        assertThat(audit.answers(held, true, true).result()).isEqualTo(Finding.Result.OK);
        assertThat(audit.answers(held, true, true).detail()).contains("7 on the topic, 2 behind what the version");
        assertThat(audit.answers(held, true, false).result())
                .as("nothing waits to be read: three are missing, one may")
                .isEqualTo(Finding.Result.FAILED);
        held.remove(TokensHash.of(new int[] {2}));
        assertThat(audit.answers(held, true, true).result())
                .as("one that was told of, and does not wait, is gone")
                .isEqualTo(Finding.Result.FAILED);
    }

    @Test
    void whileTokensWaitTheMostThatDidOfLateMayBeMissing() {
        facts.announced(upTo(4));
        for (int i = 0; i < 3; i++) {
            facts.offered("r" + i, TokensHash.of(new int[] {i}), 1, 0, i, 0);
        }
        facts.accounted(numbers(3, 0, 3, 0, 0, 0), 1, 0);
        facts.accounted(numbers(3, 2, 1, 0, 0, 0), 1, 0);
        assertThat(audit.answers(Map.of(), true, true).result()).isEqualTo(Finding.Result.OK);
        facts.accounted(numbers(3, 3, 0, 0, 0, 0), 1, 0);
        assertThat(audit.answers(Map.of(), true, true).result()).isEqualTo(Finding.Result.FAILED);
    }

    /** The topic's oldest answer is of the second day; a hundred are missing. */
    @Test
    void onlyWhatLeftSinceTheOldestAnswerMayBeMissing() {
        for (int i = 0; i < 100; i++) {
            facts.offered("r" + i, TokensHash.of(new int[] {i}), 1, 0, i, 2 * DAY);
        }
        facts.accounted(numbers(0, 0, 0, 1_000_000_000, 0, 0), 1, DAY);
        assertThat(audit.answers(Map.of(), false, false).result()).isEqualTo(Finding.Result.FAILED);
        facts.accounted(numbers(0, 0, 0, 1_000_000_099, 0, 0), 1, 3 * DAY);
        assertThat(audit.answers(Map.of(), false, false).result()).isEqualTo(Finding.Result.FAILED);
        facts.accounted(numbers(0, 0, 0, 1_000_000_100, 0, 0), 1, 3 * DAY);
        Finding all = audit.answers(Map.of(), false, false);
        assertThat(all.result()).isEqualTo(Finding.Result.OK);
        assertThat(all.detail()).contains("100 have left or wait").endsWith("given");
    }

    /** The topic's answers are older than all accounts that compare with the last. */
    @Test
    void whereNoAccountIsOldEnoughAllThatEverLeftMayBeMissingAndIsSaidToBe() {
        facts.offered("r", TokensHash.of(new int[] {1}), 1, 0, 0, 2 * DAY);
        facts.accounted(numbers(0, 0, 0, 20, 0, 0), 1, DAY);
        facts.accounted(numbers(0, 0, 0, 10, 0, 0), 2, 3 * DAY); // from an older savepoint
        Finding finding = audit.answers(Map.of(), false, false);
        assertThat(finding.result()).isEqualTo(Finding.Result.OK);
        assertThat(finding.detail()).contains("10 have left or wait").contains("all that ever left counts");
    }

    @Test
    void whatTheTopicNoLongerHoldsIsNoSurplus() {
        facts.accounted(numbers(0, 0, 0, 0, 0, 0), 1, 0);
        Map<TokensHash, Integer> held = Map.of(TokensHash.of(new int[] {1}), 3);
        assertThat(audit.answers(held, true, false).result()).isEqualTo(Finding.Result.FAILED);
        assertThat(audit.answers(held, false, false).result()).isEqualTo(Finding.Result.OK);
    }

    private static Map<String, Long> numbers(
            long admitted, long live, long pending, long expired, long deleted, long lost) {
        return Map.of(
                "tokensAdmitted", admitted,
                "tokensLive", live,
                "tokensPending", pending,
                "tokensExpired", expired,
                "tokensDeleted", deleted,
                "tokensLost", lost);
    }

    private static ControlCommand delete(long issuedAt) {
        return new ControlCommand("c", Command.DELETE_SCOPE, null, null, "acme", 0, 0, 0, "me", issuedAt);
    }

    private static SnapshotManifest manifest(long version, String... files) {
        SnapshotManifest manifest = new SnapshotManifest();
        manifest.setVersion(version);
        List<SegmentReference> segments = new ArrayList<>();
        for (String file : files) {
            segments.add(new SegmentReference(file, file, 7L, SegmentRole.OLDER, 1, 1L, 1L, Instant.EPOCH));
        }
        manifest.setSegments(segments);
        return manifest;
    }

    /** A version that was told of a partition's records up to an offset. */
    private static SnapshotManifest upTo(long offset) {
        SnapshotManifest manifest = manifest(7);
        manifest.setSourceOffsets(List.of(new SourceOffset(0, offset)));
        return manifest;
    }

    private static SnapshotManifest ofEpoch(long version, long epoch) {
        SnapshotManifest manifest = manifest(version);
        manifest.setEpoch(epoch);
        return manifest;
    }

    private Finding files(Map<String, Long> bytes, Set<String> damaged) {
        return audit.files(audit.wrongFiles(bytes, damaged).values(), 0);
    }
}
