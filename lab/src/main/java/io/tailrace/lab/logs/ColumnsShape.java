package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.lab.logs.LoggedRequest.Asked;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.terminal.BadInputException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table with a column for what was asked and one for what was answered, under usual names or under those that were given. */
final class ColumnsShape implements LogShape {
    private static final Map<String, List<String>> USUAL = Map.of(
            "prompt", List.of("messages", "prompt", "input", "question", "instruction", "request"),
            "response", List.of("response", "completion", "output", "answer", "generation"),
            "tools", List.of("tools"),
            "id", Names.USUAL.id(),
            "session", Names.USUAL.session(),
            "scope", Names.USUAL.scope(),
            "workload", Names.USUAL.workload(),
            "time", List.of("timestamp", "created_at", "start_time"));
    private static final Set<String> KEYS = USUAL.keySet();

    private final Map<String, String> given;
    private final Names names;

    /** @param given column by what it holds */
    ColumnsShape(Map<String, String> given) {
        for (String key : given.keySet()) {
            if (!KEYS.contains(key)) {
                throw new BadInputException("--columns: a column is one of %s, got %s"
                        .formatted(KEYS.stream().sorted().toList(), key));
            }
        }
        this.given = Map.copyOf(given);
        this.names =
                new Names(columns("id"), columns("scope"), columns("workload"), columns("session"), columns("time"));
    }

    private List<String> columns(String what) {
        return given.containsKey(what) ? List.of(given.get(what)) : USUAL.get(what);
    }

    @Override
    public boolean fits(JsonNode row) {
        return columns("prompt").stream().anyMatch(row::has)
                && columns("response").stream().anyMatch(row::has);
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        JsonNode answer = raw(row, "response");
        Asked asked = Exchanges.asked(raw(row, "prompt"), LogFields.first(row, columns("tools")), column("prompt"));
        if (answer.isMissingNode() && asked.messages() != null && !given.containsKey("response")) {
            return Exchanges.turns(row, names, asked);
        }
        return Exchanges.answers(row, names, asked, Exchanges.said(answer, column("response")));
    }

    private JsonNode raw(JsonNode row, String what) {
        return columns(what).stream()
                .map(row::path)
                .filter(value -> !value.isMissingNode() && !value.isNull())
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private String column(String what) {
        return "column " + String.join(" or ", columns(what));
    }

    @Override
    public boolean isUnordered() {
        return given.containsKey("time");
    }
}
