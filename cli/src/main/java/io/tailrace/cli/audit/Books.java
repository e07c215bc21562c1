package io.tailrace.cli.audit;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The checks of an audit that the topics alone answer. */
public final class Books {
    /** So long a delete may wait, unless the job is told otherwise. */
    private static final Duration DELETE_MAX = Duration.ofMinutes(15);

    private Books() {}

    /**
     * Whether each record that the job has passed is in one of its accounts, and whether it has read no more than there was.
     *
     * @param written ever written to topic generations
     */
    public static Finding records(RecordsAccount account, long written) {
        String detail = detail(account, written);
        boolean closes = account.missing() == 0 && account.ofThisTopic() <= written;
        return closes || account.told()
                ? Finding.of("", "records", closes, detail)
                : new Finding("", "records", Finding.Result.UNKNOWN, detail + "; the job has only just started");
    }

    private static String detail(RecordsAccount account, long written) {
        String lost = account.lost() == 0
                ? ""
                : ", %,d lost to the topic's retention before it read them".formatted(account.lost());
        String before =
                account.before() == 0 ? "" : ", %,d of them on topics before this one".formatted(account.before());
        return "%,d read by the job's accounts%s%s, %,d ever written to topic generations%s; at most %,d wait"
                .formatted(account.read(), lost, before, written, missing(account), account.waiting(written));
    }

    private static String missing(RecordsAccount account) {
        long missing = account.missing();
        if (missing == 0) {
            return "";
        }
        return missing > 0
                ? "; of %,d that the job has passed, %,d are in no account".formatted(account.passed(), missing)
                : "; the job has passed %,d, and its accounts name %,d more".formatted(account.passed(), -missing);
    }

    /**
     * Whether a lane's tokens are where its account says, and whether no delete waits too long.
     *
     * @param account the job's last; null: none was read
     * @param deletes of all lanes
     * @param deletedTo all that were issued until then are done, in epoch milliseconds
     */
    public static List<Finding> lane(
            LaneId lane, Map<String, Long> account, Collection<Control> deletes, long deletedTo, long nowMillis) {
        LaneFacts facts = new LaneFacts(lane.toString());
        if (account != null) {
            facts.accounted(account, 0, 0);
        }
        facts.deleted(deletedTo);
        deletes.stream()
                .filter(delete -> concerns(delete, lane))
                .map(ControlCommand::of)
                .forEach(facts::command);
        LaneAudit audit = new LaneAudit(facts);
        return List.of(audit.tokens(), audit.deletes(nowMillis, DELETE_MAX));
    }

    /**
     * Refuses a command that lacks what it needs.
     *
     * @throws IllegalArgumentException if a field is missing
     */
    public static void check(Control command) {
        ControlCommand unused = ControlCommand.of(command);
    }

    /** Whether a command is for that lane. */
    public static boolean concerns(Control command, LaneId lane) {
        return ControlCommand.of(command).concerns(lane);
    }
}
