package io.tailrace.lab.check;

import io.tailrace.cli.fleet.Shown;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.terminal.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How many of a topic's records break which rule. */
final class Refusals {
    private final EnumMap<RejectionReason, Refused> byReason = new EnumMap<>(RejectionReason.class);
    private long checked;

    /**
     * What breaks one rule.
     *
     * @param first in the lowest partition, at the lowest offset
     */
    private record Refused(long records, Rejection first) {
        Refused and(Refused other) {
            return new Refused(records + other.records, isBefore(other.first) ? first : other.first);
        }

        private boolean isBefore(Rejection other) {
            return first.getPartition() < other.getPartition()
                    || (first.getPartition() == other.getPartition() && first.getOffset() < other.getOffset());
        }
    }

    /** Takes what was said of the next record; empty: it would be admitted. */
    void add(Optional<Rejection> said) {
        checked++;
        said.ifPresent(rejection -> byReason.merge(rejection.getReason(), new Refused(1, rejection), Refused::and));
    }

    long checked() {
        return checked;
    }

    long refused() {
        return byReason.values().stream().mapToLong(Refused::records).sum();
    }

    Table table() {
        Table table = new Table("reason", "records", "first at", "detail");
        byReason.forEach((reason, refused) -> table.row(
                reason.name(),
                refused.records(),
                "%s-%d at offset %d"
                        .formatted(
                                refused.first().getTopic(),
                                refused.first().getPartition(),
                                refused.first().getOffset()),
                Shown.text(refused.first().getDetail())));
        return table;
    }

    Map<String, Object> json(String topic) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topic", topic);
        json.put("checked", checked);
        json.put("refused", refused());
        List<Map<String, Object>> reasons = new ArrayList<>();
        byReason.forEach((reason, refused) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("reason", reason.name());
            row.put("records", refused.records());
            row.put("partition", refused.first().getPartition());
            row.put("offset", refused.first().getOffset());
            row.put("detail", Shown.text(refused.first().getDetail()));
            reasons.add(row);
        });
        json.put("reasons", reasons);
        return json;
    }
}
