package io.tailrace.operators.control;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an installation to one job. A job that starts claims it by a record on topic control, whose one partition puts all claims into an order. When
 * Flink first tries a checkpoint, all tasks of the job run; only then it takes the installation over, by a second record. A job that sees such a record
 * of a later claim ends and is not restarted; no other task of it goes on. So a job that can never restore its state ends no other. A job without state
 * does not claim an installation that announces versions, since its lanes would begin anew beside them. What a job writes bears its claim's
 * {@linkplain io.tailrace.operators.JobEpoch epoch}, so that readers leave out what it still writes after another has taken over. Nor does a job claim
 * anything, and so write anything, whose topics are not as it needs them.
 *
 * <p>Its one task emits nothing and reads topic control by itself: sinks wait for the take-over, and must never hold it up.
 */
public final class SingleJob extends ProcessFunction<ControlCommand, Void> implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(SingleJob.class);

    private final Installation installation;
    private final RequiredTopics topics;
    private final boolean startEmpty;
    private final ClaimName name;

    private transient ListState<String> claimedBefore;
    private transient ListState<Long> epochBefore;
    private transient boolean restored;
    private transient String claim;
    private transient long epoch;
    /** Take-overs that have been judged. */
    private transient Set<String> known;

    private transient boolean tookOver;

    /**
     * The guard of one job.
     *
     * @param topics looked at before anything is written
     * @param startEmpty start without state although versions are announced
     * @param name of this job's claim
     */
    public SingleJob(Installation installation, RequiredTopics topics, boolean startEmpty, ClaimName name) {
        this.installation = installation;
        this.topics = topics;
        this.startEmpty = startEmpty;
        this.name = name;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        claimedBefore = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("claim", Types.STRING));
        epochBefore = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("epoch", Types.LONG));
        restored = context.isRestored();
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        claimedBefore.update(List.of(claim));
        epochBefore.update(List.of(epoch));
        // An exception here fails the checkpoint only: a job that is superseded ends by the record that says so.
        if (!tookOver && Claims.supersedes(claim, installation.commands()).isEmpty()) {
            say(Claims.takeOverId(claim), Command.TAKE_OVER, null);
            tookOver = true;
            LOG.info("this job is the installation's one: {}", claim);
        }
    }

    @Override
    public void open(OpenContext context) throws Exception {
        claim = name.of(getRuntimeContext().getJobInfo());
        requireTopics();
        if (!restored && !startEmpty && installation.announced().isPresent()) {
            throw end(
                    "versions are announced, and this job starts without state: it would begin all lanes anew beside them;"
                            + " restore it from its newest checkpoint or savepoint, or start it with --start-empty (./tailrace job: --restore none)");
        }
        List<ControlCommand> commands = installation.commands();
        known = new HashSet<>();
        commands.stream()
                .filter(command -> command.command() == Command.TAKE_OVER)
                .forEach(command -> known.add(command.commandId()));
        if (Claims.epoch(claim, commands).isEmpty()) {
            endIfStartedAgain(commands);
            say(claim, Command.CLAIM, floor() + 1);
            epoch = Claims.epoch(claim, installation.commands()).orElse(0);
            return;
        }
        tookOver = Claims.tookOver(claim, commands);
        epoch = Claims.epoch(claim, commands).orElse(0);
        endIfSuperseded(commands);
    }

    /** Tried again by Flink: whoever makes the topics may be about to. */
    private void requireTopics() throws IOException {
        Optional<String> trouble = topics.trouble();
        if (trouble.isPresent()) {
            throw new IOException(trouble.get());
        }
    }

    /** Above what the state was written under, too: on another Kafka's topics it may be the first. */
    private long floor() throws Exception {
        long floor = installation.announced().orElse(0);
        for (long before : epochBefore.get()) {
            floor = Math.max(floor, before);
        }
        return floor;
    }

    private void say(String id, Command what, Long epochMin) throws IOException {
        installation.say(Control.newBuilder()
                .setCommandId(id)
                .setCommand(what)
                .setVersion(epochMin)
                .setIssuer("tailrace-job")
                .setIssuedAt(Instant.now())
                .build());
    }

    @Override
    public void processElement(ControlCommand command, Context context, Collector<Void> out) throws IOException {
        if (command.command() == Command.TAKE_OVER && known.add(command.commandId())) {
            endIfSuperseded(installation.commands());
        }
    }

    private void endIfSuperseded(List<ControlCommand> commands) {
        Claims.supersedes(claim, commands).ifPresent(other -> {
            throw superseded(other);
        });
    }

    /** Whatever keeps a cluster running starts a job that has ended again: jobs of two clusters would take over from each other without end. */
    private void endIfStartedAgain(List<ControlCommand> commands) {
        JobInfo job = getRuntimeContext().getJobInfo();
        Claims.supersedesFormer(name.sameWord(job), ClaimName.namesake(job.getJobId()), commands)
                .ifPresent(other -> {
                    throw superseded(other);
                });
    }

    private SuppressRestartsException superseded(ControlCommand other) {
        return end(
                "another job took this installation over at %s (%s); this one (%s) ends and announces nothing more;"
                                .formatted(Instant.ofEpochMilli(other.issuedAt()), other.commandId(), claim)
                        + " to go on with this one, end the other and start this one with --take-over and a word not used before");
    }

    private static SuppressRestartsException end(String why) {
        return new SuppressRestartsException(new IllegalStateException(why));
    }
}
