package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A lane: takes in what is heard of it and announces its versions. Its {@link Layout}, {@link Versions}, {@link Deletes}, {@link AnnouncementCadence},
 * {@link LaneLearning} and {@link LaneCommands} are each the only writer of their own state; the lane brings them together. Knows no clock, no file and no
 * thread.
 *
 * <pre>{@code
 * Lane lane = new Lane(Lane.State.begin("toy@1/acme"), publishing, learning);
 * List<Notice> told = lane.apply(new LaneInput.Progress(report), now);
 * lane.announce(now, identity, epoch).ifPresent(announcement -> ...);
 * }</pre>
 */
final class Lane {
    private static final StateCodec<State> CODEC = new StateCodec<>(State.class, "Lane");

    private final String name;
    private final PublishingOptions options;
    private final Layout layout;
    private final Versions versions;
    private final Deletes deletes;
    private final AnnouncementCadence cadence;
    private final LaneLearning learning;
    private final LaneCommands commands;
    /** What waits holds nothing that deletes up to this sequence cover. */
    private long waitingCleanTo;

    private LaneOutcome.Totals outcomes;
    private List<LaneOutcome.StepCost> costs;
    /** Nothing was announced since a task has taken the lane up from a checkpoint. */
    private boolean restored;

    /**
     * All that is checkpointed of a lane: references to immutable files, numbers, and the generations that no file holds yet.
     *
     * @param lane as text
     * @param outcomes what workers' outcomes said, since the job's state began
     * @param costs points of the workers' cost curves
     */
    record State(
            String lane,
            Layout.State layout,
            Versions.State versions,
            Deletes.State deletes,
            AnnouncementCadence.State cadence,
            LaneLearning.State learning,
            LaneCommands.State commands,
            LaneOutcome.Totals outcomes,
            List<LaneOutcome.StepCost> costs) {
        static State begin(String lane) {
            return new State(
                    lane,
                    Layout.State.EMPTY,
                    Versions.State.NONE,
                    Deletes.State.NONE,
                    AnnouncementCadence.State.BEGUN,
                    LaneLearning.State.BEGUN,
                    LaneCommands.State.NONE,
                    LaneOutcome.Totals.ZERO,
                    List.of());
        }
    }

    /**
     * A version to be made known.
     *
     * @param dropped versions that can no longer be gone back to
     * @param deletesDone true if with this version deletes are done, in all that the lane serves or retains, that were not in the one before; after a
     *     restore once more, since the topics may be others
     */
    record Announcement(SnapshotManifest manifest, List<Long> dropped, boolean deletesDone) {}

    Lane(State state, PublishingOptions options, LaneLearning.Options learningOptions) {
        this.name = state.lane;
        this.options = options;
        this.layout = new Layout(name, state.layout);
        this.versions = new Versions(state.versions, options);
        this.deletes = new Deletes(state.deletes, options);
        this.cadence = new AnnouncementCadence(state.cadence, options.announceMillis());
        this.learning = new LaneLearning(state.learning, learningOptions);
        this.commands = new LaneCommands(state.commands, this);
        this.outcomes = state.outcomes;
        this.costs = state.costs;
    }

    /** How lanes are kept. */
    static StateCell.Form<Lane> form(PublishingOptions options, LaneLearning.Options learning) {
        return StateCell.Form.of(CODEC, state -> new Lane(state, options, learning), Lane::state);
    }

    State state() {
        return new State(
                name,
                layout.state(),
                versions.state(),
                deletes.state(),
                cadence.state(),
                learning.state(),
                commands.state(),
                outcomes,
                costs);
    }

    /** As text. */
    String name() {
        return name;
    }

    /** Takes in what is heard of the lane; what is to be told of it. */
    List<Notice> apply(LaneInput input, long nowMillis) {
        if (input instanceof LaneInput.Progress progress) {
            layout.onProgress(progress.report(), deletes.arranged());
        } else if (input instanceof LaneInput.Learned learned) {
            return learn(learned.report(), nowMillis);
        } else if (input instanceof LaneInput.Commanded commanded) {
            return commands.apply(commanded.command(), nowMillis);
        } else if (input instanceof LaneInput.Verified verified) {
            sum(verified.outcome());
        } else if (input instanceof LaneInput.Drifted drifted) {
            learning.onDrift(drifted.report());
            makeDueIf(drifted.report().raised(), AnnouncementCause.DRIFT);
        } else if (input instanceof LaneInput.Served served) {
            versions.onWorker(served.report());
        } else if (input instanceof LaneInput.Announced announced) {
            makeDueIf(versions.isStranger(announced.version()), AnnouncementCause.CADENCE);
        } else {
            takeUp((LaneInput.Resumed) input, nowMillis);
        }
        return List.of();
    }

    private void makeDueIf(boolean due, AnnouncementCause cause) {
        if (due) {
            cadence.makeDue(cause);
        }
    }

    private void sum(LaneOutcome outcome) {
        outcomes = outcome.totals();
        costs = List.copyOf(outcome.costs());
    }

    /**
     * A task has taken the lane up: after a restore it is announced anew, and nothing before the deletes that it missed are applied. One of those may be
     * what the task has just heard of, and what made it take the lane up.
     */
    private void takeUp(LaneInput.Resumed resumed, long nowMillis) {
        if (versions.last() > 0) {
            versions.restored(nowMillis);
            restored = true;
            cadence.makeDue(AnnouncementCause.RESTORE);
        }
        boolean missed = takeUpMissed(resumed.missed(), nowMillis);
        takeUpMissed(resumed.heard(), nowMillis);
        if (missed) {
            deletes.hold();
        }
        deletes.heardAll(nowMillis);
    }

    /**
     * A lane that holds nothing gets no answer that a delete of more than {@code tombstoneMillis} ago covers: admission lets
     * none be so late.
     */
    private boolean takeUpMissed(List<ControlCommand> missed, long nowMillis) {
        if (layout.isEmpty() && versions.areNone()) {
            deletes.holdsNothing(nowMillis);
        }
        boolean any = false;
        for (ControlCommand delete : missed) {
            any |= deletes.mayMiss(delete) && delete(delete, nowMillis);
        }
        return any;
    }

    /** Takes a delete up; false if it was before. A lane without segments has it done at once. */
    boolean delete(ControlCommand delete, long nowMillis) {
        boolean taken = deletes.take(delete, nowMillis);
        makeDueIf(taken && versions.last() > 0 && isClean(), AnnouncementCause.DELETE);
        return taken;
    }

    private List<Notice> learn(LearningReport report, long nowMillis) {
        List<Notice> notices = new ArrayList<>();
        review(nowMillis).ifPresent(notices::add);
        learning.onReport(versions.policy(), report).ifPresent(judgement -> {
            onJudged(judgement, nowMillis);
            notices.add(judgement.notice());
        });
        learning.propose(versions.policy(), versions.policiesMade() + 1, nowMillis)
                .ifPresent(notices::add);
        versions.madeTo(learning.trialNumber());
        return notices;
    }

    /** Makes what the judge has adopted live; what is refused changes nothing. */
    void onJudged(LaneLearning.Judgement judgement, long nowMillis) {
        if (judgement.retention() != null) {
            retention().onJudged(judgement, nowMillis).ifPresent(cadence::makeDue);
        } else if (judgement.adopted()) {
            adopt(judgement.policy());
        }
    }

    /** A policy goes live with the next announcement. */
    void adopt(LanePolicy policy) {
        versions.adopt(policy);
        cadence.makeDue(AnnouncementCause.POLICY);
    }

    /** Goes back to a version, with its segments and its policy. */
    void goBackTo(RetainedVersion version) {
        layout.goBackTo(version);
        versions.goBackTo(version);
        learning.anchorAtLive();
        cadence.makeDue(AnnouncementCause.ROLLBACK);
    }

    /** Takes the result of a plan; false if the lane has changed meanwhile so that it does not fit any more. */
    boolean adopt(MergePlan.Outcome outcome) {
        if (outcome.plan().kind().isJudged()) {
            RetentionChanges.Taken taken = retention().take(outcome);
            makeDueIf(taken == RetentionChanges.Taken.APPLIED, AnnouncementCause.MERGE);
            return taken != RetentionChanges.Taken.REFUSED;
        }
        long cleanTo = cleanTo();
        Layout.Adoption adoption = layout.adopt(outcome);
        makeDueIf(adoption.cause() != null, adoption.cause());
        makeDueIf(adoption.fits() && cleanTo() > cleanTo, AnnouncementCause.DELETE);
        return adoption.fits();
    }

    /** Removes what deletes cover from what waits, which must not wait in a fold under way: that one would be made in vain. */
    void forgetWaiting() {
        if (waitingCleanTo < deletes.seen()) {
            layout.forget(deletes.arranged());
            waitingCleanTo = deletes.seen();
        }
    }

    /**
     * Drops segments that are past their time or the budget as a whole; what needs a rewrite is left to plans.
     *
     * @return tokens that went for the budget, unjudged
     */
    long expire(long nowMillis) {
        GenerationRetention generations = generations();
        long past = layout.dropCompletedBefore(nowMillis - options.generationAgeMillisMax());
        long beyond = layout.dropOldest(generations.excessTokens());
        makeDueIf(past + beyond > 0, AnnouncementCause.CADENCE);
        return beyond;
    }

    /**
     * What is past its age leaves a lane that nothing is announced of any more: what waits, and segments and versions when
     * all of them are. What is younger keeps what lies beside it, since no version without that can be announced.
     *
     * @return versions to withdraw
     */
    List<Long> expireAtRest(long nowMillis) {
        long completedAfter = nowMillis - options.generationAgeMillisMax();
        List<Long> withdrawn = new ArrayList<>(versions.dropUnknown(nowMillis));
        withdrawn.addAll(versions.expire(nowMillis));
        layout.dropWaitingBefore(completedAfter);
        if (layout.isAllBefore(completedAfter) && versions.isAllBefore(completedAfter)) {
            layout.dropCompletedBefore(completedAfter);
            withdrawn.addAll(versions.dropAll(nowMillis));
        }
        if (layout.isEmpty() && versions.areNone()) {
            deletes.forget(deletes.seen(), nowMillis);
        }
        return withdrawn;
    }

    /**
     * A file is damaged or gone in the store, and nobody here has a copy: what it held leaves the lane, and versions that name it cannot be gone back to.
     *
     * @return what to tell; empty: nothing names the file any more
     */
    Optional<Notice> lose(String path) {
        OptionalLong tokens = layout.lose(segment -> segment.has(path));
        int versionsLost = versions.lose(segment -> segment.has(path));
        if (tokens.isEmpty() && versionsLost == 0) {
            return Optional.empty();
        }
        cadence.makeDue(AnnouncementCause.CADENCE);
        String message =
                "%s is damaged or gone in the store, and no copy of it is left here: %d tokens leave the lane, %d versions are withdrawn"
                        .formatted(path, tokens.orElse(0), versionsLost);
        return Optional.of(new Notice(
                EventKind.SEGMENT_LOST, message, Map.of("tokens", tokens.orElse(0), "versions", (long) versionsLost)));
    }

    /** Withdraws a change of retention if the lane is no longer what it was made for; what to tell, if anything. */
    Optional<Notice> review(long nowMillis) {
        return retention().review(versions.policy().number(), nowMillis);
    }

    /** Withdraws a change of retention that nobody will judge any more: its file may hold what deletes wait for. */
    Optional<Notice> giveUpChange(long nowMillis) {
        return learning.retention().candidate() == null
                ? Optional.empty()
                : learning.retention().withdraw("the model is served no more", nowMillis);
    }

    /** Which merges are needed now. */
    MergePlanning merges(MergeHeap heap) {
        return new MergePlanning(name, options, layout, deletes, generations(), learning.retention(), heap);
    }

    private GenerationRetention generations() {
        return new GenerationRetention(options, layout, deletes, learning.alarms());
    }

    private RetentionChanges retention() {
        return new RetentionChanges(options, layout, deletes, learning.retention());
    }

    /**
     * The announcement that is due and allowed now, if any; it is taken as made.
     *
     * @param epoch of the job that makes it
     */
    Optional<Announcement> announce(long nowMillis, SegmentIdentity identity, long epoch) {
        boolean over = versions.announced()
                .filter(announced -> deletes.isOver(announced.tombstonesApplied(), nowMillis))
                .isPresent();
        makeDueIf(over, AnnouncementCause.DELETE);
        boolean held = cleanTo() < deletes.holdTo() && !over;
        if (!cadence.isDue() || nowMillis < announceableAt(nowMillis) || held) {
            return Optional.empty();
        }
        long told = deletesTold();
        boolean isFirst = versions.announced().isEmpty();
        RetainedVersion version = deletes.version(versions.next(nowMillis), epoch, layout, nowMillis);
        SnapshotManifest manifest =
                ManifestContent.of(this, version, cadence.announced(nowMillis, apartMillis(nowMillis)), identity);
        layout.announced();
        if (layout.waiting().isEmpty() || waitingCleanTo >= deletes.seen()) {
            deletes.forget(cleanTo(), nowMillis);
        }
        List<Long> dropped = versions.announce(version, nowMillis);
        boolean newlyDone = !isFirst && version.tombstonesApplied() > told;
        boolean deletesDone = newlyDone || (restored && deletes.seen() > 0);
        restored = false;
        return Optional.of(new Announcement(manifest, dropped, deletesDone));
    }

    /** Its next announcement may be made from then on. */
    long announceableAt(long nowMillis) {
        return cadence.announceableAt(nowMillis, apartMillis(nowMillis));
    }

    /** More answers than the newest segment is meant for do not wait for followers: these have no room for them all. */
    private long apartMillis(long nowMillis) {
        LiveSegment newest = layout.newest();
        boolean waits = newest != null && cadence.isRoutine() && !isUrgent();
        return waits && layout.untoldTokens() <= options.newestTokensMax()
                ? FetchPacing.millis(
                        options.announceMillis(),
                        versions.followers(nowMillis),
                        newest.stored().sizeBytes())
                : options.announceMillis();
    }

    /** Deletes up to this sequence are done in the version announced last. */
    private long deletesTold() {
        return versions.announced().map(RetainedVersion::tombstonesApplied).orElse(0L);
    }

    /** Every delete issued by then is done in the version announced last, or in all that the first one is made of, epoch milliseconds; 0: none is known. */
    long deletedTo() {
        return deletes.issuedTo(versions.areNone() ? cleanTo() : deletesTold());
    }

    /** Tokens of the lane that the version announced last leaves out, since they could not be freed of what was deleted in time. */
    long withheldTokens() {
        return layout.liveTokens()
                - versions.announced().map(RetainedVersion::liveTokens).orElse(0L);
    }

    /** True if no segment holds what a known delete forbids. */
    boolean isClean() {
        return cleanTo() >= deletes.seen();
    }

    private long cleanTo() {
        return layout.cleanTo(deletes.seen());
    }

    /** True if a fold, a merge or an announcement waits for its time. */
    boolean isBusy() {
        return cadence.isDue() || !layout.waiting().isEmpty() || !isClean();
    }

    /** True if no more may wait for a fold in this lane. */
    boolean isOverfull() {
        return layout.bytesWaiting() > options.waitingBytesMax();
    }

    /** True if a delete or a shift waits for the next fold. */
    boolean isUrgent() {
        return cadence.isDueFor(AnnouncementCause.DRIFT) || !isClean();
    }

    /** Every path that the layout, the retained versions and a change being judged name. */
    Set<String> referencedPaths() {
        Set<String> paths = new HashSet<>();
        layout.addPaths(paths);
        versions.addPaths(paths);
        var change = learning.retention().candidate();
        if (change != null && change.remaining() != null) {
            change.remaining().addPaths(paths);
        }
        return paths;
    }

    /** Where the lane's records and tokens are, and which deletes are done. */
    Map<String, Long> numbers() {
        Map<String, Long> numbers = new TreeMap<>();
        layout.account(numbers);
        numbers.put("snapshotVersion", versions.last());
        numbers.put("deletedTo", deletedTo());
        return numbers;
    }

    Layout layout() {
        return layout;
    }

    Versions versions() {
        return versions;
    }

    Deletes deletes() {
        return deletes;
    }

    LaneOutcome.Totals outcomes() {
        return outcomes;
    }

    List<LaneOutcome.StepCost> costs() {
        return costs;
    }

    LaneCommands commands() {
        return commands;
    }

    AnnouncementCadence cadence() {
        return cadence;
    }

    LaneLearning learning() {
        return learning;
    }
}
