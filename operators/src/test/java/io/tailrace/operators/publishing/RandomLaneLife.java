package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.publishing.TwinStore.Doc;
import io.tailrace.operators.state.StateCell;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.SnapshotManifest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One random life of a lane, all of it drawn from a seed: generations, merges that come late or never, deletes, rollbacks, expiry, failures that go
 * back to a checkpoint, a {@link JudgeByLot}; then rest. {@link LaneInvariants} hold after each step, and nothing leaves but for a reason that
 * holds.
 *
 * <pre>{@code new RandomLaneLife(seed).live();}</pre>
 */
final class RandomLaneLife {
    private static final int STEPS = 400;
    private static final long ROOMY_HEAP = 1L << 32;
    private static final long AGE = 200_000;
    private static final int BUDGET = 400;
    private static final long DELETE_BOUND = 5_000;

    /** All that outlives a failure because it lies in Kafka or in the checkpoint. */
    private record Checkpoint(byte[] state, long admitted, int commandsHeard) {}

    private final long seed;
    private final Random random;
    private final PublishingOptions options;
    /** Of every second life so small that some lanes outgrow it. */
    private final MergeHeap heap;

    private final TwinStore store = new TwinStore();
    private final List<ControlCommand> commands = new ArrayList<>();
    private final Deque<MergePlan> inFlight = new ArrayDeque<>();
    private StateCell.Form<Lane> form;
    private Lane lane;
    private Checkpoint checkpoint;
    private long admitted;
    private int commandsHeard;
    private long now = 1_000_000;
    private long versionAnnounced;
    private String where = "";

    RandomLaneLife(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.options = new PublishingOptions(
                1000,
                60,
                20_000,
                PublishingOptions.WAITING_BYTES_MAX,
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
        this.heap = new MergeHeap(seed % 2 == 0 ? ROOMY_HEAP : 20_000 + 3_000 * (seed % 20));
        this.form = Lane.form(options, LaneLearning.Options.defaults());
        this.lane = new Lane(Lane.State.begin(LANE), options, LaneLearning.Options.defaults());
        this.checkpoint = checkpoint();
    }

    void live() {
        for (int step = 0; step < STEPS; step++) {
            where = "seed %d, step %d".formatted(seed, step);
            now += random.nextInt(700);
            act(step);
            invariants().checkBooks(admitted);
            invariants().checkLayout();
            invariants().checkDone();
        }
        settle();
    }

    private void act(int step) {
        switch (random.nextInt(15)) {
            case 0, 1, 2 -> arrive(step);
            case 3, 4 -> lane.merges(heap).fold(now).map(this::fitting).ifPresent(inFlight::add);
            case 5 -> lane.merges(heap).older(now).map(this::fitting).ifPresent(inFlight::add);
            case 6, 7, 8 -> {
                if (!inFlight.isEmpty()) {
                    adopt(store.merge(random.nextBoolean() ? inFlight.removeFirst() : inFlight.removeLast()));
                }
            }
            case 9 -> announce();
            case 10 -> {
                if (random.nextInt(4) == 0) {
                    command(step);
                }
            }
            case 11, 12 -> judge().act(random, now);
            case 13 -> {
                if (random.nextInt(12) == 0) {
                    loseFile();
                }
            }
            default -> {
                if (random.nextInt(3) == 0) {
                    checkpoint = checkpoint();
                } else if (random.nextInt(8) == 0) {
                    restore();
                }
            }
        }
    }

    /** What cannot be divided, one older segment or the newest and a sixteenth of it, may be larger than its part of the heap. */
    private MergePlan fitting(MergePlan plan) {
        int last = plan.generations().size() - 1;
        boolean isLeast = last >= 0
                && (last == 0 || Layout.tokens(plan.generations().subList(0, last)) < segmentTokens(plan) / 16);
        if (plan.inputs().size() + last > 0 && !isLeast) {
            assertThat(MergeHeap.bytes(plan)).as(where).isLessThanOrEqualTo(heap.bytesMax(plan.kind()));
        }
        return plan;
    }

    private static long segmentTokens(MergePlan plan) {
        return plan.inputTokens() - Layout.tokens(plan.generations());
    }

    private LaneInvariants invariants() {
        return new LaneInvariants(lane, store, where);
    }

    private JudgeByLot judge() {
        return new JudgeByLot(lane, store, where);
    }

    private void arrive(int step) {
        for (int i = random.nextInt(3); i >= 0; i--) {
            int[] tokens = new int[1 + random.nextInt(9)];
            AdmittedGeneration generation =
                    Samples.generation("r" + step + "." + i, now - random.nextInt(3000), tokens);
            admitted += tokens.length;
            ShardProgress.Counters counters = new ShardProgress.Counters(0, 0, 0, admitted, 0);
            lane.apply(new LaneInput.Progress(new ShardProgress(LANE, 0, counters, generation)), now);
        }
    }

    private void command(int step) {
        List<RetainedVersion> retained = lane.versions().retained();
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

    private void hear(ControlCommand command) {
        lane.apply(new LaneInput.Commanded(command), now);
        commandsHeard++;
    }

    /** Adopts what a merge came to: only what age, a delete or the budget takes may leave with it. */
    private void adopt(MergePlan.Outcome outcome) {
        Set<Doc> gone = store.layout(lane);
        lane.adopt(outcome);
        gone.removeAll(store.layout(lane));
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

    /** The store loses a file that the lane names: from then on nothing names it but a change that is being judged. */
    private void loseFile() {
        List<String> named = lane.referencedPaths().stream().sorted().toList();
        if (!named.isEmpty()) {
            String path = named.get(random.nextInt(named.size()));
            lane.lose(path);
            assertThat(lane.lose(path)).as(where).isEmpty();
        }
    }

    private void announce() {
        if (inFlight.stream().noneMatch(plan -> plan.kind() == MergePlan.Kind.FOLD)) {
            lane.forgetWaiting();
        }
        lane.expire(now);
        boolean allowed = now >= lane.announceableAt(now);
        lane.announce(now, Samples.MODELS.identity(LANE), 1).ifPresent(announcement -> {
            SnapshotManifest manifest = announcement.manifest();
            assertThat(manifest.getVersion()).as(where).isGreaterThan(versionAnnounced);
            versionAnnounced = manifest.getVersion();
            invariants().checkAnnounced(manifest);
        });
        if (allowed) {
            invariants().checkBound(now, DELETE_BOUND);
        }
    }

    private Checkpoint checkpoint() {
        return new Checkpoint(form.encode(lane), admitted, commandsHeard);
    }

    /** Back to the checkpoint; deletes are heard before anything is announced, other commands again from their topic. */
    private void restore() {
        lane = form.decode(checkpoint.state());
        admitted = checkpoint.admitted();
        commandsHeard = checkpoint.commandsHeard();
        inFlight.clear();
        List<ControlCommand> deletes =
                commands.stream().filter(ControlCommand::isDelete).toList();
        lane.apply(new LaneInput.Resumed(List.of(), deletes), now);
        while (commandsHeard < commands.size()) {
            hear(commands.get(commandsHeard));
        }
    }

    /**
     * Left alone, the lane comes to rest: everything folded, every delete applied, no version holds what is forbidden, the lane within
     * its budget though the judge lets nothing go any more.
     */
    private void settle() {
        where = "seed " + seed + ", settling";
        inFlight.clear();
        int rounds = 40 + lane.layout().waiting().size(); // in a small heap a fold takes few
        for (int round = 0; round < rounds; round++) {
            now += 1000;
            lane.merges(heap).fold(now).ifPresent(plan -> adopt(store.merge(plan)));
            lane.merges(heap).older(now).ifPresent(plan -> adopt(store.merge(plan)));
            announce();
            lane.review(now);
            RetentionTrial.Candidate candidate = lane.learning().retention().candidate();
            if (candidate != null && candidate.number() > 0) {
                judge().decide(candidate, false, now);
            }
        }
        assertThat(lane.layout().liveTokens()).as(where).isLessThanOrEqualTo(BUDGET);
        assertThat(lane.referencedPaths().size())
                .as(where)
                .isLessThanOrEqualTo(2 * (4 + 1) * (lane.versions().retained().size() + 1));
        assertThat(lane.isBusy()).as("seed %d", seed).isFalse();
        assertThat(lane.versions().retained())
                .as("seed %d", seed)
                .allSatisfy(retained -> assertThat(retained.tombstonesApplied())
                        .isEqualTo(lane.deletes().seen()));
        assertThat(lane.numbers()).containsEntry("tokensPending", 0L);
        where = "seed " + seed + ", settled";
        invariants().checkBooks(admitted);
    }
}
