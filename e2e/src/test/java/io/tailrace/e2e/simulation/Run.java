package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.operators.JobEpoch;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RecordDecoding;
import io.tailrace.operators.admission.Admission;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.FirstOffsets;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.control.ClaimedEpoch;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.operators.control.SingleJob;
import io.tailrace.operators.intake.IntakeOptions;
import io.tailrace.operators.intake.ShardIntake;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.intake.SimulatedIntake;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.publishing.LanePublisher;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.signals.EpochFilter;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.SignalDecoding;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.PromptSignatures;
import io.tailrace.suffix.PromptTails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.DefaultOpenContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.OutputTag;

/**
 * One attempt of a job: its functions as they are wired in the product, one task each, fed by whoever calls. What a function emits reaches the next at
 * once.
 */
final class Run {
    private static final List<String> OPERATORS = List.of("guard", "admission", "intake", "publisher");
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
    private static final IntakeOptions INTAKE =
            new IntakeOptions(Duration.ofDays(30).toMillis(), 1 << 15, IntakeOptions.Quotas.NONE, World.SHARDS);

    private static final int SWALLOWED_ONCE_IN = 8;

    private final World world;
    private final SimulatedJob job;
    private final boolean restored;
    private final Map<String, OperatorState> states;
    private final Checkpoint.Books books;
    private final QueuedThreads threads = new QueuedThreads();
    private final GuardTask guard;
    private final AdmissionTask admission;
    private final KeyedTask<OfferedGeneration, ControlCommand, ShardProgress> intake;
    private final KeyedTask<LaneMessage, ControlCommand, OutgoingRecord> publisher;
    private final Installation installation;
    private final SignalDecoding signals;
    private final ControlCommand.Decoding commandsOfOperators;
    private final ControlCommand.Decoding commandsOfJobs;
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
        TrustedKeys trusted = world.fault == Fault.JOBS_TAKE_ANY_SIGNATURE ? TrustedKeys.none() : world.keys.trusted();
        this.installation = new SimulatedInstallation(world, trusted);
        this.signals = SignalDecoding.ofSnapshots(trusted);
        this.commandsOfOperators = ControlCommand.Decoding.ofOperators(trusted);
        this.commandsOfJobs = ControlCommand.Decoding.ofJobs(trusted);
        JobEpoch epochs =
                world.fault == Fault.ONE_EPOCH_FOR_ALL ? any -> 1 : new ClaimedEpoch(installation, job.claim());
        ControlCommand.History history =
                world.fault == Fault.DELETES_ARE_HEARD_LATE ? () -> List.of() : installation::commands;
        FirstOffsets first = world.fault == Fault.GAPS_ARE_SILENT
                ? (topic, partition) -> 0
                : (topic, partition) -> world.generations.first();
        this.inTime = new EpochFilter(epochs);
        this.guard =
                new GuardTask(new SingleJob(installation, Optional::empty, false, job.claim()), states.get("guard"));
        this.admission = new AdmissionTask(
                new Admission(ADMISSION, new EvaluationSample.Sampling(0, 1), topic -> topic, first),
                states.get("admission"),
                job::now,
                this::offer,
                this::side);
        this.intake = new KeyedTask<>(
                SimulatedIntake.intake(INTAKE, World.PUBLISHING.tombstoneMillis(), history, job::now),
                OfferedGeneration::shardKey,
                states.get("intake"),
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
        DurableStore opened = world.store.open(() -> world.random.nextInt(2_000), new StoreRules(world.truth, job));
        return FaultyStores.of(world.fault, opened, world::now);
    }

    /** The guard alone: what happens where other tasks cannot restore their state. */
    void openGuard() throws Exception {
        try {
            guard.open(SimulatedJob.ID, restored);
        } catch (SuppressRestartsException e) {
            end(e);
        }
    }

    void open() throws Exception {
        openGuard();
        for (ControlCommand command : installation.commands()) {
            if (command.isDelete()) {
                books.heardAt.putIfAbsent(command.commandId(), job.now());
            }
        }
        var context = SimulatedRuntime.context(new OperatorState(), SimulatedJob.ID);
        inTime.setRuntimeContext(context);
        inTime.open(DefaultOpenContext.INSTANCE);
        for (RecordDecoding<?> decoding : List.of(signals, commandsOfOperators, commandsOfJobs)) {
            decoding.setRuntimeContext(context);
            decoding.open(DefaultOpenContext.INSTANCE);
        }
        admission.open(SimulatedJob.ID);
        intake.open(SimulatedJob.ID);
        publisher.open(SimulatedJob.ID);
    }

    /** Reads at most so many records of each topic; commands and announcements first. */
    void read(int commands, int announcements, int generations) throws Exception {
        for (Written record : some(world.control, controlAt, commands)) {
            controlAt = record.offset() + 1;
            for (ControlCommand command : decoded(commandsOfJobs, world.control, record)) {
                ofAJob(command);
            }
            decoded(commandsOfOperators, world.control, record).forEach(this::command);
        }
        for (Written record : some(world.snapshots, snapshotsAt, announcements)) {
            snapshotsAt = record.offset() + 1;
            for (LaneSignal signal : decoded(signals, world.snapshots, record)) {
                publish(LaneMessage.of(new LaneMessage.AnnouncedVersion(
                        signal.lane(), heard(signal.number()), signal.epoch(), signal.at())));
                if (inTime.filter(signal)) {
                    admission.signal(signal);
                }
            }
        }
        for (Written record : some(world.generations, generationsAt, generations)) {
            world.books.reading(this, record.offset());
            generationsAt = record.offset() + 1;
            hasRead = true;
            admission.generation(world.generations.raw(record));
        }
    }

    /** A number that is to count is none that the publisher can tell from others. */
    private long heard(long version) {
        return world.fault == Fault.JOBS_COUNT_ON_FROM_ANY_VERSION
                ? Math.min(version, job.now() + VersionNumbers.AHEAD_MILLIS_MAX)
                : version;
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

    private static <T> List<T> decoded(RecordDecoding<T> decoding, SimulatedTopic topic, Written record) {
        List<T> decoded = new ArrayList<>();
        decoding.flatMap(topic.raw(record), new KeyedTask.Collecting<>(decoded::add));
        return decoded;
    }

    private void command(ControlCommand command) {
        if (command.isDelete()) {
            books.heardAt.putIfAbsent(command.commandId(), job.now());
        }
        if (world.fault == Fault.ROLLBACKS_FORGET_DELETES && command.command() == Command.ROLLBACK) {
            Map<Object, Object> lanes = state("publisher").of(SimulatedPublishers.LANE);
            lanes.replaceAll((lane, state) -> SimulatedPublishers.freedOfDeletes(state, World.PUBLISHING));
        }
        CommandRules rules = new CommandRules(world.truth, this);
        unchecked(() -> intake.broadcast(command));
        unchecked(() -> publisher.broadcast(command));
        rules.checkRolledBack();
    }

    private void offer(OfferedGeneration offered) {
        int id = world.truth.id(
                offered.generation().requestHigh(), offered.generation().requestLow());
        if (world.fault == Fault.ADMISSION_SWALLOWS_RECORDS && id % SWALLOWED_ONCE_IN == 0) {
            return;
        }
        books.admitted.add(id);
        books.completedAt.putIfAbsent(id, offered.generation().completedAt());
        unchecked(() -> intake.element(offered));
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
        world.announcements.emitted(this, record);
        transaction.snapshot(record);
    }

    private void side(OutputTag<?> tag, Object value) {
        if (tag.equals(OfferedGeneration.OF_NEW_LANES)) {
            offer((OfferedGeneration) value);
        } else if (tag.equals(LanePublisher.EVENTS)) {
            event((OutgoingRecord) value);
        } else if (tag.equals(ShardIntake.ADMITTED)) {
            OutgoingRecord record = (OutgoingRecord) value;
            world.announcements.passedOn(this, record);
            world.admitted.append(record.keyText(), record.value(), world.now());
        } else if (tag.equals(TopicNote.OUTPUT)) {
            note((TopicNote) value);
        } else if (tag.equals(RejectedRecord.OUTPUT)) {
            throw broken("job %d rejects a good record", job.number());
        }
    }

    private void note(TopicNote note) {
        switch (note.kind()) {
            case LOST -> books.lost += note.records();
            case PASSED -> books.passed += note.records();
            case TAKEN -> books.taken += note.records();
            case BEGUN -> {}
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
        publisher.fireTimers();
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
        copies.put("intake", intake.checkpoint(id));
        copies.put("publisher", publisher.checkpoint(id));
        world.books.checkpoint(this);
        return new Checkpoint(
                id, copies, new Checkpoint.Places(generationsAt, controlAt, snapshotsAt), transactions, books.copy());
    }

    /** The tasks hear that it is complete. */
    void completed(Checkpoint checkpoint) throws Exception {
        intake.completed(checkpoint.id());
        publisher.completed(checkpoint.id());
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
        intake.close();
        publisher.close();
    }
}
