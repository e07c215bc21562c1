package io.tailrace.cli.fleet;

import io.tailrace.cli.audit.Books;
import io.tailrace.cli.audit.Finding;
import io.tailrace.cli.audit.RecordsAccount;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.SnapshotRecord;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.ControlRecords;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What an installation's topics say of its fleet. Takes records in the order of their topics, in any order among topics. Of each thing it keeps a bounded
 * number. Not thread-safe.
 */
public final class FleetView {
    /** A record of a further lane is refused. */
    static final int LANES_MAX = 10_000;
    /** More events, rejections or deletes are not remembered; the oldest go first. */
    static final int RECENT_MAX = 1_000;
    /** Behind as many other outcomes a repeated one counts again. A process sends again at most a batch of its spool. */
    static final int OUTCOMES_MAX = 1 << 16;

    private final TreeMap<String, LaneView> lanes = new TreeMap<>();
    private final Recent<HeardEvent> events = new Recent<>(RECENT_MAX);
    private final Recent<HeardRejection> rejections = new Recent<>(RECENT_MAX);
    private final Recent<Control> deletes = new Recent<>(RECENT_MAX);
    private final Recent<Control> choices = new Recent<>(RECENT_MAX);
    private final Set<RequestHash> recentOutcomes = new LinkedHashSet<>();
    private Map<String, Long> admission = Map.of();
    private long admissionEpoch;

    /**
     * Takes one record; of topics that it does not need, none.
     *
     * @throws IllegalArgumentException if the record is none of its topic, as {@link UndecodableRecordException} says, too; nothing changes then
     */
    public void take(Topic topic, ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        switch (topic) {
            case SNAPSHOTS -> snapshot(SnapshotRecord.of(record));
            case WORKERS -> worker(LoopTopics.key(record), record.value(), record.timestamp());
            case EVENTS -> event(RecordCodec.EVENT.decode(record.value()));
            case REJECTIONS -> rejections.add(HeardRejection.of(RecordCodec.REJECTION.decode(record.value())));
            case CONTROL -> control(ControlRecords.decode(record.value(), record.timestamp()));
            case OUTCOMES -> outcome(RecordCodec.OUTCOME.decode(record.value()), record.timestamp());
            case GENERATIONS, ADMITTED -> {}
        }
    }

    private void snapshot(SnapshotRecord snapshot) {
        if (snapshot.manifest() == null) {
            lane(snapshot.lane().toString()).ifPresent(known -> known.withdrawn(snapshot.version()));
        } else {
            lane(snapshot.lane()).announced(snapshot.manifest());
        }
    }

    private void worker(String key, byte[] value, long takenMillis) throws UndecodableRecordException {
        LaneId lane = LaneId.parse(key.substring(LoopTopics.hash(key) + 1));
        if (value == null) {
            String worker = key.substring(0, LoopTopics.hash(key));
            Optional.ofNullable(lanes.get(lane.toString())).ifPresent(known -> known.gone(worker));
            return;
        }
        WorkerStatus status = RecordCodec.WORKER_STATUS.decode(value);
        if (!LaneId.of(status.getLane()).equals(lane)) {
            throw new IllegalArgumentException("its key names another lane than the status");
        }
        lane(lane).reported(status, takenMillis);
    }

    private void event(Event event) {
        Epochs.check(event.getEpoch());
        HeardEvent heard = HeardEvent.of(event);
        if (event.getLane() != null) {
            ofLane(event, heard, lane(LaneId.of(event.getLane())));
        } else if (event.getKind() == EventKind.ACCOUNTING && event.getEpoch() >= admissionEpoch) {
            admissionEpoch = event.getEpoch();
            admission = event.getNumbers();
        }
        if (!heard.isAccount()) {
            events.add(heard);
        }
    }

    private static void ofLane(Event event, HeardEvent heard, LaneView lane) {
        if (heard.isAccount()) {
            lane.accounted(event.getNumbers(), event.getEpoch());
        } else if (event.getKind() == EventKind.DELETED) {
            lane.deleted(event.getNumbers().getOrDefault("issuedTo", 0L));
        } else if (heard.isLearning()) {
            lane.learned(heard);
        }
    }

    private void control(Control control) {
        Command command = control.getCommand();
        if (command == Command.DELETE_REQUEST || command == Command.DELETE_SCOPE) {
            Books.check(control);
            deletes.add(control);
        } else if (command == Command.PIN || command == Command.UNPIN || command == Command.ROLLBACK) {
            Books.check(control);
            choices.add(control);
        }
    }

    /** A worker's outcome of a request counts once: what no broker acknowledged is sent again. */
    private void outcome(Outcome outcome, long atMillis) {
        LaneId lane = LaneId.of(outcome.getLane());
        RequestHash one =
                RequestHash.of(String.join("\n", lane.toString(), outcome.getWorker(), outcome.getRequestId()));
        if (recentOutcomes.contains(one)) {
            return;
        }
        lane(lane).served(outcome, atMillis);
        recentOutcomes.add(one);
        if (recentOutcomes.size() > OUTCOMES_MAX) {
            recentOutcomes.remove(recentOutcomes.iterator().next());
        }
    }

    private LaneView lane(LaneId lane) {
        LaneView known = lanes.get(lane.toString());
        if (known == null && lanes.size() == LANES_MAX) {
            throw new IllegalArgumentException("there are %,d lanes, which is the most".formatted(LANES_MAX));
        }
        return known != null ? known : lanes.computeIfAbsent(lane.toString(), name -> new LaneView(lane));
    }

    /** By their names. */
    public Collection<LaneView> laneViews() {
        return Collections.unmodifiableCollection(lanes.values());
    }

    /** The lane of that name; empty: nothing was heard of it. */
    public Optional<LaneView> lane(String name) {
        return Optional.ofNullable(lanes.get(name));
    }

    /** The command that holds a lane's workers at a version; empty: they are not pinned, or to a version that is not there. */
    public Optional<Control> pin(LaneView lane) {
        return choices.newestFirst().stream()
                .filter(choice -> Books.concerns(choice, lane.lane()))
                .findFirst()
                .filter(choice -> choice.getCommand() == Command.PIN
                        && choice.getVersion() != null
                        && lane.versions().containsKey(choice.getVersion()));
    }

    /** By their names. */
    public List<LaneFigures> lanes(long nowMillis) {
        return lanes(nowMillis, lane -> true);
    }

    /** Those of them that are wanted. */
    public List<LaneFigures> lanes(long nowMillis, Predicate<LaneId> wanted) {
        return lanes.values().stream()
                .filter(lane -> wanted.test(lane.lane()))
                .map(lane -> lane.figures(nowMillis))
                .toList();
    }

    /** By lane and name. */
    public List<WorkerFigures> workers(long nowMillis) {
        return lanes.values().stream()
                .flatMap(lane -> lane.workers(nowMillis).stream())
                .toList();
    }

    /** But for accounts, newest first. */
    public List<HeardEvent> events() {
        return events.newestFirst();
    }

    /** Newest first. */
    public List<HeardRejection> rejections() {
        return rejections.newestFirst();
    }

    /** Whether a delete covers a lane's generation, and the job has said that it is done. */
    boolean isDeleted(LaneId lane, String requestId, long completedAt) {
        return lane(lane.toString()).stream()
                .anyMatch(known -> deletes.oldestFirst().stream()
                        .filter(delete -> Books.concerns(delete, lane))
                        .filter(delete ->
                                delete.getCommand() == Command.DELETE_SCOPE || requestId.equals(delete.getRequestId()))
                        .mapToLong(delete -> delete.getIssuedAt().toEpochMilli())
                        .anyMatch(issuedAt -> completedAt <= issuedAt && known.isDeletedTo(issuedAt)));
    }

    /**
     * What the books say of the whole installation and of each lane, as an audit computes it; nothing of files in the store.
     *
     * @param written records ever written to topic generations
     */
    public List<Finding> books(long written, long nowMillis) {
        List<Finding> findings = new ArrayList<>();
        long ofLanes = lanes.values().stream()
                .mapToLong(lane -> lane.accounted("recordsAdmitted")
                        + lane.accounted("recordsDuplicate")
                        + lane.accounted("recordsRejected"))
                .sum();
        boolean told = lanes.values().stream().allMatch(lane -> lane.accountEpoch() <= admissionEpoch);
        findings.add(Books.records(new RecordsAccount(ofLanes, admission, told), written));
        lanes.values().forEach(lane -> findings.addAll(lane.books(deletes.oldestFirst(), nowMillis)));
        return findings;
    }
}
