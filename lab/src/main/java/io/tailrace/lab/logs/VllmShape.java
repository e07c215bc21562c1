package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tailrace.lab.logs.LoggedRequest.Names;
import io.tailrace.lab.logs.LoggedRequest.Said;
import io.tailrace.lab.recorded.BrokenLineException;
import java.util.List;

/** What {@link VllmRows} puts together: token ids where the log has them, else texts. */
final class VllmShape implements LogShape {
    @Override
    public boolean fits(JsonNode row) {
        return row.has("finish_reason") && (row.has("output") || row.has("output_token_ids"));
    }

    @Override
    public List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException {
        String finish = LogFields.text(row, "finish_reason");
        if ("abort".equals(finish) || "error".equals(finish)) {
            tally.pass("ended with " + finish);
            return List.of();
        }
        JsonNode ids = row.path("output_token_ids");
        Said said = LogFields.isIds(ids)
                ? Said.of(LogFields.ids(ids, "output_token_ids"))
                : Said.of(row.path("output").asText(), finish);
        return Exchanges.answers(
                row, Names.USUAL, Exchanges.asked(row, MissingNode.getInstance(), "the request"), List.of(said));
    }
}
