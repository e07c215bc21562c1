package io.tailrace.cli.audit;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.SnapshotRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.NewestClaim;
import io.tailrace.schemas.ControlRecords;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What an installation's topics say. */
final class InstallationFacts {
    private final TreeMap<String, LaneFacts> lanes = new TreeMap<>();
    private final List<ControlCommand> deletes = new ArrayList<>();
    private final Map<Place, Refused> rejections = new HashMap<>();
    private final Unread unread = new Unread();
    private final NewestClaim claims = new NewestClaim();
    private final Set<String> awaited;
    /** Tokens of those awaited that are on topic generations. */
    private final Map<String, Long> found = new HashMap<>();

    private final Set<String> rejected = new HashSet<>();
    private final boolean answers;
    private Map<String, Long> admission = Map.of();
    private long admissionEpoch;

    /** Where a record stands. */
    private record Place(String topic, int partition, long offset) {}

    /**
     * Whose record was rejected.
     *
     * @param lane null: the rejection does not say
     * @param requestId null: the rejection does not say, as none does that is for a quota
     */
    private record Refused(LaneId lane, String requestId) {
        /** False for what stands where a record of a topic of the same name stood before. */
        boolean isOf(LaneId otherLane, String otherId) {
            return (lane == null || lane.equals(otherLane)) && (requestId == null || requestId.equals(otherId));
        }
    }

    /** What is read first, and is judged by. */
    private final class Taken implements LoopTopics.Taking {
        private final LoopTopics topics;

        Taken(LoopTopics topics) {
            this.topics = topics;
        }

        @Override
        public void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
            InstallationFacts.this.take(record, topics);
        }

        @Override
        public void skip(ConsumerRecord<byte[], byte[]> record, Exception why) {
            unread.skipped(record, topics.isOf(record, Topic.SNAPSHOTS), topics.checksSignatures(), why);
        }
    }

    private InstallationFacts(boolean answers, Set<String> awaited) {
        this.answers = answers;
        this.awaited = awaited;
    }

    /**
     * Reads topics to their ends, generations only where it is needed.
     *
     * @param answers whether answers are to be compared
     * @param awaited request ids that are looked for on topics generations and rejections
     */
    static InstallationFacts read(LoopTopics topics, boolean answers, Set<String> awaited) {
        InstallationFacts facts = new InstallationFacts(answers, awaited);
        topics.read(facts.new Taken(topics), Topic.CONTROL);
        topics.read(facts.new Taken(topics), Topic.SNAPSHOTS, Topic.EVENTS);
        if (answers || !awaited.isEmpty()) {
            topics.read(facts::rejection, Topic.REJECTIONS);
            topics.read(record -> facts.generation(record, topics), Topic.GENERATIONS);
        }
        facts.lanes
                .values()
                .forEach(lane -> facts.deletes.stream()
                        .filter(delete -> delete.concerns(LaneId.parse(lane.lane())))
                        .forEach(lane::command));
        return facts;
    }

    /** Those that a version was announced of or that have an account. */
    Collection<LaneFacts> lanes() {
        return lanes.values();
    }

    /** Whether all was read that the facts are taken from. */
    Finding readable() {
        return unread.finding();
    }

    /** What the job says of records. */
    RecordsAccount account() {
        boolean told = lanes.values().stream().allMatch(lane -> lane.accountEpoch() <= admissionEpoch);
        return new RecordsAccount(readOfLanes(), admission, told);
    }

    /** Tokens that were admitted and are in no newest version, by the accounts, those counted that wait; empty: a lane has no account. */
    OptionalLong tokensLeft() {
        return lanes.values().stream().anyMatch(lane -> lane.account() == null)
                ? OptionalLong.empty()
                : OptionalLong.of(lanes.values().stream()
                        .mapToLong(lane -> new LaneAudit(lane).left())
                        .sum());
    }

    /** Whether all that was ever rejected is on topic rejections still. */
    boolean rejectionsAreWhole() {
        long ofLanes = lanes.values().stream()
                .filter(lane -> lane.account() != null)
                .mapToLong(lane -> number(lane, "recordsRejected"))
                .sum();
        return account().refused() + ofLanes <= rejections.size();
    }

    /** Of one that was looked for. */
    boolean isOnTopic(String requestId) {
        return found.containsKey(requestId);
    }

    /** Tokens of one that was looked for; of one that is not on topic generations 1, the least that it has. */
    long tokensOnTopic(String requestId) {
        return found.getOrDefault(requestId, 1L);
    }

    /** Of one that was looked for. */
    boolean isRejected(String requestId) {
        return rejected.contains(requestId);
    }

    private long readOfLanes() {
        return lanes.values().stream()
                .filter(lane -> lane.account() != null)
                .mapToLong(lane -> number(lane, "recordsAdmitted")
                        + number(lane, "recordsDuplicate")
                        + number(lane, "recordsRejected"))
                .sum();
    }

    private static long number(LaneFacts lane, String name) {
        return lane.account().getOrDefault(name, 0L);
    }

    private LaneFacts lane(String name) {
        return lanes.computeIfAbsent(name, LaneFacts::new);
    }

    private void take(ConsumerRecord<byte[], byte[]> record, LoopTopics topics) throws UndecodableRecordException {
        if (topics.isOf(record, Topic.SNAPSHOTS)) {
            snapshot(SnapshotRecord.of(record));
            unread.replaced(record);
        } else if (topics.isOf(record, Topic.EVENTS)) {
            event(RecordCodec.EVENT.decode(record.value()), record.timestamp());
        } else {
            ControlCommand command = ControlCommand.of(ControlRecords.decode(record.value(), record.timestamp()));
            claims.hear(command);
            if (command.isDelete()) {
                deletes.add(command);
            }
        }
    }

    private void snapshot(SnapshotRecord snapshot) {
        LaneFacts known = lanes.get(snapshot.lane().toString());
        if (snapshot.manifest() != null) {
            lane(snapshot.lane().toString()).announced(snapshot.manifest());
        } else if (known != null) {
            known.withdrawn(snapshot.version());
        }
    }

    private void event(Event event, long toldAt) {
        Epochs.check(event.getEpoch());
        claims.check(event.getEpoch());
        if (event.getKind() == EventKind.ACCOUNTING && event.getLane() == null) {
            if (event.getEpoch() >= admissionEpoch) {
                admissionEpoch = event.getEpoch();
                admission = event.getNumbers();
            }
        } else if (event.getKind() == EventKind.ACCOUNTING) {
            lane(LaneId.of(event.getLane()).toString()).accounted(event.getNumbers(), event.getEpoch(), toldAt);
        } else if (event.getKind() == EventKind.DELETED && event.getLane() != null) {
            lane(LaneId.of(event.getLane()).toString())
                    .deleted(event.getNumbers().getOrDefault("issuedTo", 0L));
        }
    }

    private void rejection(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        Rejection rejection = RecordCodec.REJECTION.decode(record.value());
        if (rejection.getRequestId() != null && awaited.contains(rejection.getRequestId())) {
            rejected.add(rejection.getRequestId());
        }
        rejections.put(
                new Place(rejection.getTopic(), rejection.getPartition(), rejection.getOffset()),
                new Refused(
                        rejection.getLane() == null ? null : LaneId.of(rejection.getLane()), rejection.getRequestId()));
    }

    private void generation(ConsumerRecord<byte[], byte[]> record, LoopTopics topics)
            throws UndecodableRecordException {
        Generation generation = RecordCodec.GENERATION.decode(record.value());
        String requestId = generation.getRequestId();
        Refused refused = rejections.get(new Place(record.topic(), record.partition(), record.offset()));
        boolean isRefused = refused != null && refused.isOf(LaneId.of(generation.getLane()), requestId);
        if (awaited.contains(requestId)) {
            found.put(requestId, (long) generation.getResponse().size());
            if (isRefused) {
                rejected.add(requestId);
            }
        }
        if (answers && !isRefused) {
            offered(generation, record, topics.place(record));
        }
    }

    private void offered(Generation generation, ConsumerRecord<byte[], byte[]> record, int source) {
        LaneFacts lane = lanes.get(LaneId.of(generation.getLane()).toString());
        if (lane != null) {
            int[] tokens = TokenIds.toArray(generation.getResponse());
            lane.offered(
                    generation.getRequestId(),
                    TokensHash.of(tokens),
                    tokens.length,
                    source,
                    record.offset(),
                    record.timestamp());
        }
    }
}
