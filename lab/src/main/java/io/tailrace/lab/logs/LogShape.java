package io.tailrace.lab.logs;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.util.List;

/** How the records of a format tell of requests. */
interface LogShape {
    /** Whether a record looks like one of these. */
    boolean fits(JsonNode row);

    /**
     * The requests of a record; none where it tells of something else, which the tally is told.
     *
     * @throws BrokenLineException if a field that is needed is missing or is something else
     */
    List<LoggedRequest> read(JsonNode row, LogTally tally) throws BrokenLineException;

    /** Where requests stand whose answers were expected in other records and have not come, in their order. */
    default List<Position> unanswered() {
        return List.of();
    }

    /** Whether records stand in any order, and say when they began. */
    default boolean isUnordered() {
        return false;
    }
}
