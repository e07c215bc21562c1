package io.tailrace.operators.control;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RecordDecoding;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.ControlRecords;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.util.Collector;

/**
 * An operator's command, decoded.
 *
 * @param model null: every model; likewise revision and scope
 * @param version of PIN and ROLLBACK, else 0
 * @param requestHigh hash of DELETE_REQUEST's request id, else 0; likewise requestLow
 * @param issuedAt epoch milliseconds; where its record is decoded, by the brokers if the clock that issued it was ahead
 * @param policy of PROPOSE_POLICY, else null
 * @param force of PROPOSE_POLICY: adopt it unjudged
 */
public record ControlCommand(
        String commandId,
        Command command,
        String model,
        String revision,
        String scope,
        long version,
        long requestHigh,
        long requestLow,
        String issuer,
        long issuedAt,
        LanePolicy policy,
        boolean force) {
    public ControlCommand(
            String commandId,
            Command command,
            String model,
            String revision,
            String scope,
            long version,
            long requestHigh,
            long requestLow,
            String issuer,
            long issuedAt) {
        this(
                commandId,
                command,
                model,
                revision,
                scope,
                version,
                requestHigh,
                requestLow,
                issuer,
                issuedAt,
                null,
                false);
    }

    /** Decodes and checks one record of topic control. */
    public static ControlCommand decode(RawRecord raw) throws UndecodableRecordException {
        return of(ControlRecords.decode(raw.bytes(), raw.timestampMillis()));
    }

    /**
     * The command of a decoded record.
     *
     * @throws IllegalArgumentException if a field that the command needs is missing
     */
    public static ControlCommand of(Control control) {
        RequestHash hash =
                control.getRequestId() == null ? new RequestHash(0, 0) : RequestHash.of(control.getRequestId());
        ControlCommand command = new ControlCommand(
                control.getCommandId(),
                control.getCommand(),
                control.getModel(),
                control.getRevision(),
                control.getScope(),
                control.getVersion() == null ? 0 : control.getVersion(),
                hash.high(),
                hash.low(),
                control.getIssuer(),
                control.getIssuedAt().toEpochMilli(),
                policy(control),
                control.getForce());
        command.check(control.getRequestId() != null);
        return command;
    }

    private static LanePolicy policy(Control control) {
        return control.getPolicy() == null
                ? null
                : LanePolicy.given(control.getPolicy(), 0, control.getIssuedAt().toEpochMilli());
    }

    private void check(boolean hasRequest) {
        switch (command) {
            case PIN, ROLLBACK -> needs(version > 0, "a version");
            case DELETE_SCOPE -> needs(scope != null, "a scope");
            case DELETE_REQUEST -> needs(scope != null && hasRequest, "a scope and a request id");
            case UNKNOWN -> needs(false, "a reader that knows it; upgrade the job before the sender");
            case PROPOSE_POLICY ->
                needs(policy != null && model != null && revision != null, "a policy, a model and a revision");
            case UNPIN, CLAIM, TAKE_OVER -> {}
        }
    }

    private void needs(boolean present, String what) {
        if (!present) {
            throw new IllegalArgumentException("command %s (%s) needs %s".formatted(commandId, command, what));
        }
    }

    public boolean isDelete() {
        return command == Command.DELETE_REQUEST || command == Command.DELETE_SCOPE;
    }

    /** True if it is a job's own word about itself, and no operator's. */
    public boolean isOfAJob() {
        return command == Command.CLAIM || command == Command.TAKE_OVER;
    }

    /** True if the command is for this lane. */
    public boolean concerns(LaneId lane) {
        return (model == null || model.equals(lane.model()))
                && (revision == null || revision.equals(lane.revision()))
                && (scope == null || scope.equals(lane.scope()));
    }

    /**
     * The commands given so far, read when an operator starts. A job restored from an old savepoint would otherwise announce
     * deleted text until the control stream has caught up.
     */
    @FunctionalInterface
    public interface History extends Serializable {
        List<ControlCommand> read() throws IOException;
    }

    /** Topic control to operators' commands, or to what jobs say. */
    public static final class Decoding extends RecordDecoding<ControlCommand> {
        private static final long serialVersionUID = 1L;

        private final boolean ofJobs;

        private Decoding(TrustedKeys trusted, boolean ofJobs) {
            super(trusted);
            this.ofJobs = ofJobs;
        }

        /**
         * What operators say.
         *
         * @param trusted who may give commands
         */
        public static Decoding ofOperators(TrustedKeys trusted) {
            return new Decoding(trusted, false);
        }

        /**
         * What jobs say.
         *
         * @param trusted which jobs are believed
         */
        public static Decoding ofJobs(TrustedKeys trusted) {
            return new Decoding(trusted, true);
        }

        @Override
        protected void decode(RawRecord raw, Collector<ControlCommand> out) throws UndecodableRecordException {
            ControlCommand command = ControlCommand.decode(raw);
            if (command.isOfAJob() == ofJobs) {
                out.collect(command);
            }
        }
    }
}
