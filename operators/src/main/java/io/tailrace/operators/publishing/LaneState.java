package io.tailrace.operators.publishing;

import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.indexing.FlushedSegment;
import io.tailrace.operators.learning.LearningState;
import io.tailrace.operators.outcomes.StepCost;
import io.tailrace.operators.outcomes.VerificationTotals;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a lane's publisher checkpoints: small references to immutable files, and numbers. A Flink POJO; only
 * {@link LanePublication} and the rooms around it give its fields meaning.
 */
public final class LaneState {
    /** The lane as text. */
    public String lane;
    /** Version announced last; 0 before the first. */
    public long version;
    /** When it was announced, epoch milliseconds; if that was early, when it might have been. */
    public long announcedAt;
    /** The lane's segments as the next announcement will name them: at most three, oldest first. */
    public List<LiveSegment> older = new ArrayList<>();
    /** The newest segment; null if there is none. */
    public LiveSegment newest;
    /** Level-0 segments that are not folded yet, in the order of their arrival. */
    public List<FlushedSegment> flushes = new ArrayList<>();
    /** Why the next announcement is due; null if it is not. */
    public AnnouncementCause due;
    /** Completion times of the generations folded since the last announcement. */
    public List<Long> completionsFolded = new ArrayList<>();
    /** Newest folded offset of each partition of topic generations. */
    public Map<Integer, Long> offsets = new HashMap<>();
    /** Each shard's last report. */
    public Map<Integer, ShardStanding> shards = new HashMap<>();
    /** Tokens that left the lane for age, budget or a rollback. */
    public long tokensExpired;
    /** Tokens that deletes removed from segments. */
    public long tokensDeleted;
    /** Deletes that still matter. */
    public List<Tombstone> tombstones = new ArrayList<>();
    /** Sequence of the last tombstone. */
    public long tombstonesSeen;
    /** Deletes issued up to this time were applied and forgotten, epoch milliseconds. */
    public long tombstonesForgottenTo;
    /** Nothing is announced before every segment has these tombstones applied: deletes that a restore found. */
    public long holdForTombstones;
    /** Versions that can be gone back to, oldest first; the last is the announced one. */
    public List<RetainedVersion> retained = new ArrayList<>();
    /** Versions on topic snapshots that are not retained and wait for their withdrawal, oldest first. */
    public List<Long> unknown = new ArrayList<>();
    /** Commands applied last, so that none is applied twice. */
    public List<String> appliedCommands = new ArrayList<>();
    /** The last rollback that was obeyed; null: none. */
    public String rolledBackBy;
    /** What workers' outcomes said, since the job's state began. */
    public VerificationTotals outcomes = VerificationTotals.ZERO;

    /** The policy that the next announcement carries; null: the defaults, as in state of the first release. */
    public LanePolicy policy;
    /** Number of the last policy made or given, or of the last trial of a retention: they are counted together. */
    public long policiesMade;
    /** Policies that retained versions carry, by number. */
    public Map<Long, LanePolicy> policies = new HashMap<>();
    /** Number of the policy of each retained version. */
    public Map<Long, Long> policyOfVersion = new HashMap<>();

    /** What is learned of the lane. */
    public LearningState learning = new LearningState();
    /** Points of the workers' cost curves. */
    public List<StepCost> costs = new ArrayList<>();

    /** What each worker said last. */
    public Map<String, WorkerReport> workers = new HashMap<>();
    /** When drift alarms were raised, oldest first. */
    public List<Long> alarms = new ArrayList<>();

    /** For Flink. */
    public LaneState() {}

    public LaneState(String lane) {
        this.lane = lane;
    }

    /** Puts in place what state of an earlier release did not have. */
    void complete() {
        unknown = unknown == null ? new ArrayList<>() : unknown;
        workers = workers == null ? new HashMap<>() : workers;
        alarms = alarms == null ? new ArrayList<>() : alarms;
        policies = policies == null ? new HashMap<>() : policies;
        policyOfVersion = policyOfVersion == null ? new HashMap<>() : policyOfVersion;
        costs = costs == null ? new ArrayList<>() : costs;
        learning().complete();
    }

    LearningState learning() {
        if (learning == null) {
            learning = new LearningState();
        }
        return learning;
    }

    LanePolicy policy() {
        return policy == null ? LanePolicy.defaults() : policy;
    }
}
