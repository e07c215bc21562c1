package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tailrace.operators.Notice;
import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.operators.indexing.ShardCounters;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.learning.LearningState;
import io.tailrace.operators.learning.ReplayTotals;
import io.tailrace.operators.learning.RetentionCandidate;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.lane.SegmentPlanner;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Test;

/**
 * The publisher's brain under random lives of a lane: flushes, merges that come late or never, deletes, rollbacks, expiry,
 * failures that go back to a checkpoint, a judge that decides by a throw. Segments are sets of documents in memory; the books must
 * balance after each step, and nothing may leave but for a reason that holds.
 */
final class LanePublicationTest {
    private static final long AGE = 200_000;
    private static final int BUDGET = 400;
    private static final long DELETE_BOUND = 5_000;

    private static final TypeSerializer<LaneState> SERIALIZER =
            TypeInformation.of(LaneState.class).createSerializer(new SerializerConfigImpl());

    /** A generation as the twin knows it. */
    private record Doc(GenerationEntry entry, int tokens) {
        static Doc of(String request, long completedAt, int tokens) {
            RequestHash hash = RequestHash.of(request);
            return new Doc(new GenerationEntry(hash.high(), hash.low(), "worker", completedAt), tokens);
        }

        long completedAt() {
            return entry.completedAtMillis();
        }
    }

    /** All that outlives a failure because it lies in Kafka or in the checkpoint. */
    private record Checkpoint(LaneState state, long admitted, int commandsHeard) {}

    private final Map<String, List<Doc>> store = new HashMap<>();
    private final List<ControlCommand> commands = new ArrayList<>();
    private final Deque<MergePlan> inFlight = new ArrayDeque<>();
    private PublishingOptions options;
    private LanePublication publication;
    private long admitted;
    private int commandsHeard;
    private long now = 1_000_000;
    private int files;
    private long versionAnnounced;

    private StoredSegment put(List<Doc> docs) {
        String path = "segment-" + files++;
        store.put(path, docs);
        long tokens = docs.stream().mapToLong(Doc::tokens).sum();
        long newest = docs.stream().mapToLong(Doc::completedAt).max().orElseThrow();
        return new StoredSegment(path, path + "-sidecar", path, 1, docs.size(), tokens, tokens, newest);
    }

    private void flush(Random random, int step) {
        List<Doc> docs = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            docs.add(Doc.of("r" + step + "." + i, now - random.nextInt(3000), 1 + random.nextInt(9)));
        }
        StoredSegment segment = put(docs);
        admitted += segment.liveTokens();
        ShardCounters counters = new ShardCounters(0, 0, 0, admitted, 0);
        publication.onProgress(
                new ShardProgress(LANE, 0, counters, 0, new FlushedSegment(segment, new long[docs.size()], Map.of())));
    }

    private MergeOutcome merge(MergePlan plan) {
        List<Doc> kept = new ArrayList<>();
        long expired = 0;
        long deleted = 0;
        List<Doc> docs = new ArrayList<>();
        plan.inputs().forEach(input -> docs.addAll(store.get(input.path())));
        docs.sort(Comparator.comparingLong(Doc::completedAt).reversed());
        long budget = plan.retention().liveTokensMax();
        for (Doc doc : docs) {
            if (plan.retention().deleted().test(doc.entry())) {
                deleted += doc.tokens();
            } else if (doc.completedAt() < plan.retention().completedAfterMillis()
                    || plan.retention().expired().test(doc.entry())) {
                expired += doc.tokens();
            } else if (doc.tokens() > budget) {
                expired += doc.tokens();
                budget = 0;
            } else {
                budget -= doc.tokens();
                kept.add(doc);
            }
        }
        return new MergeOutcome(plan, kept.isEmpty() ? null : put(kept), expired, deleted, null);
    }

    private void hear(ControlCommand command) {
        new LaneCommands(publication, LearningOptions.defaults(), now).apply(command);
        commandsHeard++;
    }

    private void command(Random random, int step) {
        List<RetainedVersion> retained = publication.state().retained;
        ControlCommand command;
        if (random.nextInt(3) > 0 || retained.isEmpty()) {
            command = random.nextInt(10) == 0
                    ? Samples.deleteScope("c" + step, "acme", now)
                    : Samples.deleteRequest("c" + step, "acme", "r" + random.nextInt(step + 1) + ".0", now);
        } else {
            long version = retained.get(random.nextInt(retained.size())).version();
            command = Samples.command("c" + step, random.nextBoolean() ? Command.ROLLBACK : Command.PIN, version);
        }
        commands.add(command);
        hear(command);
    }

    private void announce(String where) {
        publication.generations().expire(now);
        boolean allowed = publication.cadence().mayAnnounce(now);
        publication.announce(now, Samples.MODELS.identity(LANE)).ifPresent(announcement -> {
            SnapshotManifest manifest = announcement.manifest();
            assertThat(manifest.getVersion()).as(where).isGreaterThan(versionAnnounced);
            versionAnnounced = manifest.getVersion();
            assertThat(manifest.getSegments()).as(where).hasSizeLessThanOrEqualTo(4);
            assertThat(publication.state().retained).as(where).hasSizeLessThanOrEqualTo(6);
            assertThat(manifest.getSegments().stream().map(SegmentReference::getPath))
                    .as(where)
                    .containsExactlyElementsOf(
                            segments(last()).stream().map(StoredSegment::path).toList());
        });
        if (allowed) {
            checkBound(where);
        }
    }

    private RetainedVersion last() {
        List<RetainedVersion> retained = publication.state().retained;
        return retained.get(retained.size() - 1);
    }

    private static List<StoredSegment> segments(RetainedVersion version) {
        List<StoredSegment> segments = new ArrayList<>();
        version.older().forEach(segment -> segments.add(segment.stored()));
        if (version.newest() != null) {
            segments.add(version.newest().stored());
        }
        return segments;
    }

    /** Announced versions hold nothing that was deleted longer ago than the bound, whatever merges did meanwhile. */
    private void checkBound(String where) {
        Tombstones over = new Tombstones(publication.state().tombstones.stream()
                .filter(tombstone -> now - tombstone.heardAt() >= DELETE_BOUND)
                .toList());
        for (RetainedVersion version : publication.state().retained) {
            for (StoredSegment segment : segments(version)) {
                for (Doc doc : docs(segment)) {
                    if (over.test(doc.entry())) {
                        fail("%s: version %d still holds %s", where, version.version(), doc);
                    }
                }
            }
        }
    }

    private Set<Doc> layout() {
        Set<Doc> docs = new HashSet<>();
        publication.state().older.forEach(segment -> docs.addAll(docs(segment.stored())));
        if (publication.state().newest != null) {
            docs.addAll(docs(publication.state().newest.stored()));
        }
        return docs;
    }

    private List<Doc> docs(StoredSegment stored) {
        return stored == null ? List.of() : store.get(stored.path());
    }

    /** Adopts what a merge came to: only what age, a delete or the budget takes may leave with it. */
    private void adopt(MergeOutcome outcome, String where) {
        Set<Doc> gone = layout();
        publication.adopt(outcome);
        gone.removeAll(layout());
        MergePlan.Kind kind = outcome.plan().kind();
        boolean forced = outcome.plan().isBeyondBudget() && !kind.isJudged();
        for (Doc doc : gone) {
            boolean aged = doc.completedAt() < outcome.plan().plannedAt() - AGE;
            boolean deleted = outcome.plan().retention().deleted().test(doc.entry());
            if (!aged && !deleted && !forced && options.retentionJudged()) {
                fail("%s: %s left unjudged with a %s", where, doc, kind);
            }
        }
    }

    /** One of the judge's doings: something is put up, decided, or found to be of another version. */
    private void judge(Random random, String where) {
        LearningState learning = publication.state().learning();
        RetentionCandidate before = learning.retention;
        Optional<Notice> withdrawn = publication.retention().review(now);
        if (withdrawn.isPresent()) {
            assertThat(learning.retention).as(where).isNull();
            assertThat(before.number()).as(where).isPositive();
        }
        RetentionCandidate candidate = learning.retention;
        if (candidate == null) {
            return;
        }
        assertThat(docs(candidate.replaced())).as(where).containsAll(docs(candidate.remaining()));
        LaneLearning lane = new LaneLearning(learning, LearningOptions.defaults());
        if (candidate.number() == 0) {
            lane.propose(publication.state().policy(), ++publication.state().policiesMade, now);
            assertThat(lane.trialNumber()).as(where).isEqualTo(publication.state().policiesMade);
        } else {
            decide(lane, candidate, random.nextBoolean(), where);
        }
    }

    private void decide(LaneLearning lane, RetentionCandidate candidate, boolean harmless, String where) {
        int[] live = new int[4_000];
        Arrays.fill(live, 100);
        int[] without = new int[4_000];
        Arrays.fill(without, harmless ? 99 : 120);
        LaneLearning.Judgement judgement = lane.onReport(
                        publication.state().policy(),
                        new LearningReport(
                                LANE,
                                0,
                                new float[0],
                                0,
                                0,
                                ReplayTotals.ZERO,
                                Map.of(),
                                candidate.number(),
                                live,
                                without))
                .orElseThrow();
        Set<Doc> gone = layout();
        publication.onJudged(judgement, now);
        gone.removeAll(layout());
        assertThat(judgement.adopted()).as(where).isEqualTo(harmless);
        Set<Doc> judged = new HashSet<>(docs(candidate.replaced()));
        judged.removeAll(docs(candidate.remaining()));
        assertThat(gone).as(where).isEqualTo(harmless ? judged : Set.of());
    }

    /** What a delete forbids is in no segment whose tombstones say so; nothing is twice in the layout. */
    private void checkLayout(String where) {
        LaneState state = publication.state();
        List<LiveSegment> layout = new ArrayList<>(state.older);
        if (state.newest != null) {
            layout.add(state.newest);
        }
        Set<Doc> seen = new HashSet<>();
        for (LiveSegment segment : layout) {
            for (Doc doc : store.get(segment.stored().path())) {
                if (!seen.add(doc)) {
                    fail("%s: %s is there twice", where, doc);
                }
            }
            checkClean(segment, where);
        }
        assertThat(state.older).as(where).hasSizeLessThanOrEqualTo(SegmentPlanner.OLDER_MAX);
    }

    private void checkClean(LiveSegment segment, String where) {
        Tombstones applied = new Tombstones(publication.state().tombstones.stream()
                .filter(tombstone -> tombstone.sequence() <= segment.tombstonesApplied())
                .toList());
        for (Doc doc : store.get(segment.stored().path())) {
            if (applied.test(doc.entry())) {
                fail("%s: %s is forbidden", where, doc);
            }
        }
    }

    private void checkBooks(String where) {
        Map<String, Long> numbers = LaneAccounting.numbers(publication.state());
        assertThat(numbers.get("tokensAdmitted")).as(where).isEqualTo(admitted);
        assertThat(numbers.get("tokensLive")
                        + numbers.get("tokensPending")
                        + numbers.get("tokensExpired")
                        + numbers.get("tokensDeleted"))
                .as("%s: %s", where, numbers)
                .isEqualTo(admitted);
    }

    private Checkpoint checkpoint() {
        return new Checkpoint(SERIALIZER.copy(publication.state()), admitted, commandsHeard);
    }

    /** Back to the checkpoint; deletes are heard before anything is announced, other commands again from their topic. */
    private void restore(Checkpoint checkpoint) {
        publication = new LanePublication(SERIALIZER.copy(checkpoint.state()), options);
        admitted = checkpoint.admitted();
        commandsHeard = checkpoint.commandsHeard();
        inFlight.clear();
        new LaneCommands(publication, LearningOptions.defaults(), now)
                .takeUpDeletes(
                        commands.stream().filter(ControlCommand::isDelete).toList(), true);
        while (commandsHeard < commands.size()) {
            hear(commands.get(commandsHeard));
        }
    }

    private void live(long seed) {
        Random random = new Random(seed);
        options = new PublishingOptions(
                1000,
                60,
                20_000,
                BUDGET,
                AGE,
                seed % 3 == 0 ? 0 : 40_000,
                1_000_000,
                DELETE_BOUND,
                5,
                1L << 50,
                1000,
                0,
                seed % 5 != 0);
        publication = new LanePublication(new LaneState(LANE), options);
        Checkpoint checkpoint = checkpoint();
        for (int step = 0; step < 400; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            now += random.nextInt(700);
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> flush(random, step);
                case 3, 4 -> publication.merges().fold(now).ifPresent(inFlight::add);
                case 5 -> publication.merges().older(now).ifPresent(inFlight::add);
                case 6, 7, 8 -> {
                    if (!inFlight.isEmpty()) {
                        MergePlan plan = random.nextBoolean() ? inFlight.removeFirst() : inFlight.removeLast();
                        adopt(merge(plan), where);
                    }
                }
                case 9 -> announce(where);
                case 10 -> {
                    if (random.nextInt(4) == 0) {
                        command(random, step);
                    }
                }
                case 11, 12 -> judge(random, where);
                default -> {
                    if (random.nextInt(3) == 0) {
                        checkpoint = checkpoint();
                    } else if (random.nextInt(8) == 0) {
                        restore(checkpoint);
                    }
                }
            }
            checkBooks(where);
            checkLayout(where);
        }
        settle(seed);
    }

    /**
     * Left alone, the lane comes to rest: everything folded, every delete applied, no version holds what is forbidden, the lane within
     * its budget though the judge lets nothing go any more.
     */
    private void settle(long seed) {
        String where = "seed " + seed + ", settling";
        inFlight.clear();
        for (int round = 0; round < 40; round++) {
            now += 1000;
            publication.merges().fold(now).ifPresent(plan -> adopt(merge(plan), where));
            publication.merges().older(now).ifPresent(plan -> adopt(merge(plan), where));
            announce(where);
            publication.retention().review(now);
            RetentionCandidate candidate = publication.state().learning().retention;
            if (candidate != null && candidate.number() > 0) {
                decide(
                        new LaneLearning(publication.state().learning(), LearningOptions.defaults()),
                        candidate,
                        false,
                        where);
            }
        }
        assertThat(publication.layout().liveTokens()).as(where).isLessThanOrEqualTo(BUDGET);
        assertThat(publication.layout().referencedPaths().size())
                .as(where)
                .isLessThanOrEqualTo(2 * (4 + 1) * (publication.state().retained.size() + 1));
        assertThat(publication.isBusy()).as("seed %d", seed).isFalse();
        LaneState state = publication.state();
        assertThat(state.retained)
                .as("seed %d", seed)
                .allSatisfy(retained -> assertThat(retained.tombstonesApplied()).isEqualTo(state.tombstonesSeen));
        assertThat(LaneAccounting.numbers(state)).containsEntry("tokensPending", 0L);
        checkBooks("seed " + seed + ", settled");
    }

    @Test
    void theBooksBalanceAndDeletesHoldThroughManyRandomLives() {
        for (long seed = 1; seed <= 150; seed++) {
            store.clear();
            commands.clear();
            inFlight.clear();
            admitted = 0;
            commandsHeard = 0;
            versionAnnounced = 0;
            live(seed);
        }
    }
}
