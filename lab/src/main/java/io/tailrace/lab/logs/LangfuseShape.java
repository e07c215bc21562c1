package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;
import java.util.Locale;

/** Langfuse's observations, exported from its tables, its API or its blob storage; what is no generation is passed over. */
final class LangfuseShape implements LogShape {
    private static final Names NAMES = new Names(
            List.of("id"),
            List.of("scope"),
            List.of("name"),
            List.of("sessionId", "session_id", "traceId", "trace_id"),
            List.of("startTime", "start_time", "timestamp"));

    private static final JsonNode NOTHING = TextNode.valueOf("");

    @Override
    public boolean fits(JsonNode row) {
        return row.has("input")
                && row.has("output")
                && (row.has("traceId") || row.has("trace_id") || row.has("projectId") || row.has("project_id"));
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        String type = LogFields.text(row, "type");
        if (type != null && !type.toUpperCase(Locale.ROOT).equals("GENERATION")) {
            tally.pass("type " + LogFields.shown(type));
            return List.of();
        }
        JsonNode output = row.path("output");
        if (output.isNull() || output.isMissingNode() || output.equals(NOTHING)) {
            tally.pass("nothing answered");
            return List.of();
        }
        return Exchanges.answers(
                row,
                NAMES,
                Exchanges.asked(row.path("input"), MissingNode.getInstance(), "input"),
                Exchanges.said(output, "output"));
    }

    @Override
    public boolean isUnordered() {
        return true;
    }
}
