package io.tailrace.operators.control;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 * Keeps an installation to one job. A job claims it by a record on topic control, whose one partition puts all claims into an order: the last one
 * counts. A job that sees another's claim behind its own ends and is not restarted; no other task of it goes on. A job without state does not claim
 * an installation that announces versions, since its lanes would begin anew beside them. What a job writes bears its claim's
 * {@linkplain io.tailrace.operators.JobEpoch epoch}, so that readers leave out what it still writes after another claim.
 *
 * <p>Its one task passes all other commands on.
 */
public final class SingleJob extends ProcessFunction<ControlCommand, ControlCommand> implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(SingleJob.class);

    private final Installation installation;
    private final boolean startEmpty;
    private final String takeOver;

    private transient ListState<String> claimedBefore;
    private transient ListState<Long> epochBefore;
    private transient boolean restored;
    private transient String claim;
    private transient long epoch;
    /** Claims that stood on the topic when this task started. */
    private transient Set<String> known;
    /** True once the own claim is known to stand before whatever comes now. */
    private transient boolean claimed;

    /**
     * The guard of one job.
     *
     * @param startEmpty start without state although versions are announced
     * @param takeOver empty, or a word with which a job that another has superseded claims once more
     */
    public SingleJob(Installation installation, boolean startEmpty, String takeOver) {
        this.installation = installation;
        this.startEmpty = startEmpty;
        this.takeOver = takeOver;
    }

    /** What the job's claim is called. */
    static String claimId(String job, String takeOver) {
        return takeOver.isEmpty() ? "claim-" + job : "claim-" + job + "-" + takeOver;
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
    }

    @Override
    public void open(OpenContext context) throws Exception {
        claim = claimId(getRuntimeContext().getJobInfo().getJobId().toHexString(), takeOver);
        if (!restored && !startEmpty && installation.announced().isPresent()) {
            throw end(
                    "versions are announced, and this job starts without state: it would begin all lanes anew beside them;"
                            + " restore it from its newest checkpoint or savepoint, or start it with --start-empty (./tailrace job: --restore none)");
        }
        known = new LinkedHashSet<>();
        ControlCommand last = null;
        for (ControlCommand command : installation.commands()) {
            if (command.command() == Command.CLAIM) {
                known.add(command.commandId());
                last = command;
            }
        }
        claimed = known.contains(claim);
        if (!claimed) {
            claim();
        } else if (!last.commandId().equals(claim)) {
            throw superseded(last);
        }
        epoch = Claims.epoch(claim, installation.commands()).orElse(0);
    }

    /** Above what the state was written under, too: on another Kafka's topics it may be the first. */
    private void claim() throws Exception {
        long floor = installation.announced().orElse(0);
        for (long before : epochBefore.get()) {
            floor = Math.max(floor, before);
        }
        installation.claim(Control.newBuilder()
                .setCommandId(claim)
                .setCommand(Command.CLAIM)
                .setVersion(floor + 1)
                .setIssuer("tailrace-job")
                .setIssuedAt(Instant.now())
                .build());
        LOG.info("this job is the installation's one: {}", claim);
    }

    @Override
    public void processElement(ControlCommand command, Context context, Collector<ControlCommand> out) {
        if (command.command() != Command.CLAIM) {
            out.collect(command);
        } else if (command.commandId().equals(claim)) {
            claimed = true;
        } else if (claimed && !known.contains(command.commandId())) {
            throw superseded(command);
        }
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
