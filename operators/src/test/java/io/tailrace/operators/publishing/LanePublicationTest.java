package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.operators.indexing.ShardCounters;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.lane.SegmentPlanner;
import io.tailrace.suffix.segment.GenerationEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Test;

/**
 * The publisher's brain under random lives of a lane: flushes, merges that come late or never, deletes, rollbacks, expiry,
 * failures that go back to a checkpoint. Segments are sets of documents in memory; the books must balance after each step.
 */
final class LanePublicationTest {
    private static final PublishingOptions OPTIONS =
            new PublishingOptions(1000, 60, 20_000, 400, 200_000, 0, 1_000_000, 5, 1L << 50, 1000, 0);
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
            } else if (doc.completedAt() < plan.retention().completedAfterMillis() || doc.tokens() > budget) {
                expired += doc.tokens();
                budget = doc.tokens() > budget ? 0 : budget;
            } else {
                budget -= doc.tokens();
                kept.add(doc);
            }
        }
        return new MergeOutcome(plan, kept.isEmpty() ? null : put(kept), expired, deleted, null);
    }

    private void hear(ControlCommand command) {
        new LaneCommands(publication, LearningOptions.defaults()).apply(command);
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
        publication.announce(now, Samples.MODELS.identity(LANE)).ifPresent(announcement -> {
            SnapshotManifest manifest = announcement.manifest();
            assertThat(manifest.getVersion()).as(where).isGreaterThan(versionAnnounced);
            versionAnnounced = manifest.getVersion();
            assertThat(manifest.getSegments()).as(where).hasSizeLessThanOrEqualTo(4);
            assertThat(publication.state().retained).as(where).hasSizeLessThanOrEqualTo(6);
        });
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
        publication = new LanePublication(SERIALIZER.copy(checkpoint.state()), OPTIONS);
        admitted = checkpoint.admitted();
        commandsHeard = checkpoint.commandsHeard();
        inFlight.clear();
        new LaneCommands(publication, LearningOptions.defaults())
                .takeUpDeletes(
                        commands.stream().filter(ControlCommand::isDelete).toList(), true);
        while (commandsHeard < commands.size()) {
            hear(commands.get(commandsHeard));
        }
    }

    private void live(long seed) {
        Random random = new Random(seed);
        publication = new LanePublication(new LaneState(LANE), OPTIONS);
        Checkpoint checkpoint = checkpoint();
        for (int step = 0; step < 400; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            now += random.nextInt(700);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> flush(random, step);
                case 3, 4 -> publication.merges().fold(now).ifPresent(inFlight::add);
                case 5 -> publication.merges().older(now).ifPresent(inFlight::add);
                case 6, 7, 8 -> {
                    if (!inFlight.isEmpty()) {
                        MergePlan plan = random.nextBoolean() ? inFlight.removeFirst() : inFlight.removeLast();
                        publication.adopt(merge(plan));
                    }
                }
                case 9 -> announce(where);
                case 10 -> {
                    if (random.nextInt(4) == 0) {
                        command(random, step);
                    }
                }
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

    /** Left alone, the lane comes to rest: everything folded, every delete applied, no version holds what is forbidden. */
    private void settle(long seed) {
        inFlight.clear();
        for (int round = 0; round < 40; round++) {
            now += 1000;
            publication.merges().fold(now).ifPresent(plan -> publication.adopt(merge(plan)));
            publication.merges().older(now).ifPresent(plan -> publication.adopt(merge(plan)));
            announce("seed " + seed + ", settling");
        }
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
