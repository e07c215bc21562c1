package io.tailrace.operators;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RequestHash;
import java.time.Instant;
import java.util.List;

/** Records as tests need them. */
public final class Samples {
    public static final ModelCatalog.Model TOY = new ModelCatalog.Model("toy", "1", 1000, "toy-tokenizer");
    public static final ModelCatalog MODELS = new ModelCatalog(List.of(TOY));
    public static final String LANE = new LaneId("toy", "1", "acme").toString();
    public static final String OTHER_LANE = new LaneId("toy", "1", "zenith").toString();

    private Samples() {}

    public static AdmittedGeneration generation(String requestId, long completedAt, int... tokens) {
        return generation(LANE, 0, requestId, completedAt, tokens);
    }

    public static AdmittedGeneration generation(
            String lane, int shard, String requestId, long completedAt, int... tokens) {
        RequestHash hash = RequestHash.of(requestId);
        return new AdmittedGeneration(lane, shard, hash.high(), hash.low(), "worker-1", completedAt, tokens, 0, 0);
    }

    public static ControlCommand deleteRequest(String commandId, String scope, String requestId, long issuedAt) {
        return command(commandId, Command.DELETE_REQUEST, scope, null, requestId, issuedAt);
    }

    public static ControlCommand deleteScope(String commandId, String scope, long issuedAt) {
        return command(commandId, Command.DELETE_SCOPE, scope, null, null, issuedAt);
    }

    public static ControlCommand command(String commandId, Command command, Long version) {
        return command(commandId, command, null, version, null, 1);
    }

    private static ControlCommand command(
            String commandId, Command command, String scope, Long version, String requestId, long issuedAt) {
        return ControlCommand.of(new Control(
                commandId,
                command,
                null,
                null,
                scope,
                version,
                requestId,
                "operator",
                Instant.ofEpochMilli(issuedAt),
                null,
                false));
    }
}
