package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.Admission;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.FirstOffsets;
import io.tailrace.operators.admission.LostRecords;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.PromptSignatures;
import io.tailrace.operators.admission.PromptTails;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.control.ClaimedEpoch;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.operators.control.SingleJob;
import io.tailrace.operators.indexing.IndexingOptions;
import io.tailrace.operators.indexing.ShardIndexer;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.indexing.SimulatedIndexers;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.publishing.LanePublisher;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.signals.EpochFilter;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.SignalDecoding;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.OutputTag;

/**
 * One attempt of a job: its functions as they are wired in the product, one task each, fed by whoever calls. What a function emits reaches the next at
 * once.
 */
final class Run {
    private static final List<String> OPERATORS = List.of("guard", "admission", "indexer", "publisher");
    private static final AdmissionOptions ADMISSION = new AdmissionOptions(
            World.MODELS,
            AdmissionOptions.Limits.defaults(),
            List.of(),
            World.SHARDS,
            Set.of(),
            PromptTails.defaults(),
            PromptSignatures.defaults(),
            8,
            false);
    private static final IndexingOptions INDEXING = new IndexingOptions(
            60, 1_000, 1 << 20, Duration.ofDays(30).toMillis(), 1 << 15, IndexingOptions.Quotas.NONE, World.SHARDS);

    private final World world;
    private final SimulatedJob job;
    private final boolean restored;
    private final Map<String, OperatorState> states;
    private final Checkpoint.Books books;
    private final QueuedThreads threads = new QueuedThreads();
    private final GuardTask guard;
    private final AdmissionTask admission;
    private final KeyedTask<OfferedGeneration, ControlCommand, ShardProgress> indexer;
    private final KeyedTask<LaneMessage, ControlCommand, OutgoingRecord> publisher;
    private final SignalDecoding signals = SignalDecoding.ofSnapshots(TrustedKeys.none());
    private final EpochFilter inTime;
    private final long controlAtStart;
    private final Set<String> heardBeforeStart;
    private long generationsAt;
    private boolean hasRead;
    private long controlAt;
    private long snapshotsAt;
    private Transaction transaction;

    /** The job ends: another has claimed the installation. */
    static final class EndedException extends Exception {
        private static final long serialVersionUID = 1L;

        EndedException(Throwable why) {
            super(why);
        }
    }

    Run(SimulatedJob job, Checkpoint from) {
        this.world = job.world();
        this.job = job;
        this.restored = from != null;
        this.states = new HashMap<>();
        OPERATORS.forEach(name -> states.put(name, new OperatorState()));
        if (from != null) {
            states.putAll(from.copyOfStates());
            generationsAt = from.places().generations();
            controlAt = from.places().control();
            snapshotsAt = from.places().snapshots();
        }
        this.books = from == null ? new Checkpoint.Books() : from.books().copy();
        this.heardBeforeStart = Set.copyOf(books.heardAt.keySet());
        this.controlAtStart = world.control.end();
        this.transaction = new Transaction(world, job);
        Installation installation = new SimulatedInstallation(world);
        JobEpoch epochs = world.fault == Fault.ONE_EPOCH_FOR_ALL ? any -> 1 : new ClaimedEpoch(installation, "");
        ControlCommand.History history =
                world.fault == Fault.DELETES_ARE_HEARD_LATE ? () -> List.of() : installation::commands;
        FirstOffsets first = world.fault == Fault.GAPS_ARE_SILENT
                ? (topic, partition) -> 0
                : (topic, partition) -> world.generations.first();
        this.inTime = new EpochFilter(epochs);
        this.guard = new GuardTask(new SingleJob(installation, false, ""), states.get("guard"));
        this.admission = new AdmissionTask(
                new Admission(ADMISSION, new EvaluationSample.Sampling(0, 1), topic -> topic, first),
                states.get("admission"),
                job::now,
                this::offer,
                this::side);
        this.indexer = new KeyedTask<>(
                SimulatedIndexers.indexer(
                        INDEXING,
                        World.PUBLISHING.tombstoneMillis(),
                        World.MODELS,
                        this::store,
                        history,
                        world.folder.toString(),
                        job::now),
                OfferedGeneration::shardKey,
                states.get("indexer"),
                job::now,
                progress -> publish(LaneMessage.of(progress)),
                this::side);
        this.publisher = new KeyedTask<>(
                SimulatedPublishers.publisher(
                        World.PUBLISHING,
                        World.MODELS,
                        this::store,
                        history,
                        epochs,
                        world.folder.toString(),
                        () -> threads,
                        job::now),
                LaneMessage::lane,
                states.get("publisher"),
                job::now,
                this::announced,
                this::side);
    }

    private DurableStore store() {
        DurableStore opened = world.store.open(() -> world.random.nextInt(2_000), world.truth.storeUse(job));
        return FaultyStores.of(world.fault, opened, world::now);
    }

    /** The guard alone: what happens where other tasks cannot restore their state. */
    void openGuard() throws Exception {
        try {
            guard.open(job.id(), restored);
        } catch (SuppressRestartsException e) {
            end(e);
        }
    }

    void open() throws Exception {
        openGuard();
        for (ControlCommand command : new SimulatedInstallation(world).commands()) {
            if (command.isDelete()) {
                books.heardAt.putIfAbsent(command.commandId(), job.now());
            }
        }
        var context = SimulatedRuntime.context(new OperatorState(), job.id());
        inTime.setRuntimeContext(context);
        inTime.open(DefaultOpenContext.INSTANCE);
        signals.setRuntimeContext(context);
        signals.open(DefaultOpenContext.INSTANCE);
        admission.open(job.id());
        indexer.open(job.id());
        publisher.open(job.id());
    }

    /** Reads at most so many records of each topic; commands and announcements first. */
    void read(int commands, int announcements, int generations) throws Exception {
        for (Written record : some(world.control, controlAt, commands)) {
            controlAt = record.offset() + 1;
            ControlCommand command = ControlCommand.decode(raw(world.control, record));
            if (command.isOfAJob()) {
                ofAJob(command);
            } else {
                command(command);
            }
        }
        for (Written record : some(world.snapshots, snapshotsAt, announcements)) {
            snapshotsAt = record.offset() + 1;
            List<LaneSignal> heard = new ArrayList<>();
            signals.flatMap(raw(world.snapshots, record), new KeyedTask.Collecting<>(heard::add));
            for (LaneSignal signal : heard) {
                publish(LaneMessage.ofAnnounced(signal.lane(), signal.number()));
                if (inTime.filter(signal)) {
                    admission.signal(signal);
                }
            }
        }
        for (Written record : some(world.generations, generationsAt, generations)) {
            world.truth.reading(this, record.offset());
            generationsAt = record.offset() + 1;
            hasRead = true;
            admission.generation(raw(world.generations, record));
        }
    }

    private void ofAJob(ControlCommand command) throws Exception {
        try {
            guard.command(command);
        } catch (SuppressRestartsException e) {
            end(e);
        }
    }

    private void end(SuppressRestartsException why) throws EndedException {
        if (world.fault != Fault.NO_TAKE_OVER_ENDS_A_JOB) {
            throw new EndedException(why);
        }
    }

    private static List<Written> some(SimulatedTopic topic, long from, int most) {
        return topic.from(from).values().stream().limit(most).toList();
    }

    private static RawRecord raw(SimulatedTopic topic, Written record) {
        return new RawRecord(topic.name(), 0, record.offset(), record.at(), record.value(), record.keyBytes(), null);
    }

    private void command(ControlCommand command) {
        if (command.isDelete()) {
            books.heardAt.putIfAbsent(command.commandId(), job.now());
        }
        unchecked(() -> indexer.broadcast(command));
        unchecked(() -> publisher.broadcast(command));
    }

    private void offer(OfferedGeneration offered) {
        books.admitted.add(world.truth.id(
                offered.generation().requestHigh(), offered.generation().requestLow()));
        unchecked(() -> indexer.element(offered));
    }

    private void publish(LaneMessage message) {
        unchecked(() -> publisher.element(message));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void unchecked(Action action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void announced(OutgoingRecord record) {
        world.truth.emitted(this, record);
        transaction.snapshot(record);
    }

    private void side(OutputTag<?> tag, Object value) {
        if (tag.equals(OfferedGeneration.OF_NEW_LANES)) {
            offer((OfferedGeneration) value);
        } else if (tag.equals(LanePublisher.EVENTS)) {
            event((OutgoingRecord) value);
        } else if (tag.equals(ShardIndexer.ADMITTED)) {
            OutgoingRecord record = (OutgoingRecord) value;
            world.truth.passedOn(this, record);
            world.admitted.append(record.keyText(), record.value(), world.now());
        } else if (tag.equals(TopicNote.OUTPUT)) {
            LostRecords lost = ((TopicNote) value).lost();
            books.lost += lost == null ? 0 : lost.records();
        } else if (tag.equals(RejectedRecord.OUTPUT)) {
            throw Truth.broken("job %d rejects a good record", job.number());
        }
    }

    private void event(OutgoingRecord record) {
        transaction.event(record);
        try {
            Event event = RecordCodec.EVENT.decode(record.value());
            if (event.getKind() != EventKind.ACCOUNTING) {
                world.tell("job %d, lane %s: %s", job.number(), event.getLane().getScope(), event.getMessage());
            }
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException(e);
        }
    }

    void fireTimers() throws Exception {
        indexer.fireTimers();
        publisher.fireTimers();
    }

    /** The shards' task goes on while another's side thread works. */
    void fireShards() throws Exception {
        indexer.fireTimers();
    }

    /** False: nothing waits for a side thread. */
    boolean runSide() {
        return threads.runOne();
    }

    Transaction endTransaction() {
        Transaction ended = transaction;
        transaction = new Transaction(world, job);
        return ended;
    }

    Checkpoint checkpoint(long id, List<Transaction> transactions) throws Exception {
        Map<String, OperatorState> copies = new HashMap<>();
        copies.put("guard", guard.checkpoint(id));
        copies.put("admission", admission.checkpoint(id));
        copies.put("indexer", indexer.checkpoint(id));
        copies.put("publisher", publisher.checkpoint(id));
        return new Checkpoint(
                id, copies, new Checkpoint.Places(generationsAt, controlAt, snapshotsAt), transactions, books.copy());
    }

    SimulatedJob job() {
        return job;
    }

    Checkpoint.Books books() {
        return books;
    }

    long generationsAt() {
        return generationsAt;
    }

    /** Any of topic generations, in this run. */
    boolean hasRead() {
        return hasRead;
    }

    /** Where topic control ended when this run began. */
    long controlAtStart() {
        return controlAtStart;
    }

    /** Deletes that the state it began from had heard of. */
    Set<String> heardBeforeStart() {
        return heardBeforeStart;
    }

    OperatorState state(String operator) {
        return states.get(operator);
    }

    void close() throws Exception {
        indexer.close();
        publisher.close();
    }

    /** What the topics say, without a broker to ask. */
    private record SimulatedInstallation(World world) implements Installation {
        @Override
        public List<ControlCommand> commands() throws IOException {
            List<ControlCommand> commands = new ArrayList<>();
            for (Written record : world.control.history()) {
                try {
                    commands.add(ControlCommand.decode(raw(world.control, record)));
                } catch (UndecodableRecordException e) {
                    throw new IOException(e);
                }
            }
            return commands;
        }

        @Override
        public void say(Control ofAJob) {
            world.truth.said(
                    world.control.append(ofAJob.getCommandId(), RecordCodec.CONTROL.encode(ofAJob), world.now()));
            if (world.fault == Fault.A_CLAIM_ENDS_OTHERS && ofAJob.getCommand() == Command.CLAIM) {
                say(Control.newBuilder(ofAJob)
                        .setCommand(Command.TAKE_OVER)
                        .setCommandId("take-over-" + ofAJob.getCommandId())
                        .build());
            }
        }

        @Override
        public OptionalLong announced() throws IOException {
            Map<String, Long> epochs = new HashMap<>();
            for (Written record : world.snapshots.from(0).values()) {
                if (record.value() == null) {
                    epochs.remove(record.key());
                } else {
                    epochs.put(record.key(), epoch(record));
                }
            }
            return epochs.values().stream().mapToLong(Long::longValue).max();
        }

        private static long epoch(Written record) throws IOException {
            try {
                long epoch =
                        RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()).getEpoch();
                Epochs.check(epoch);
                return epoch;
            } catch (UndecodableRecordException e) {
                throw new IOException(e);
            } catch (IllegalArgumentException e) {
                return 0;
            }
        }
    }
}
