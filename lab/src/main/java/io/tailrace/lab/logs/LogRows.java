package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import io.tailrace.lab.recorded.RecordedRequest.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The records of one file, one after the other. */
interface LogRows extends AutoCloseable {
    /**
     * The next record; null at the end.
     *
     * @throws BrokenLineException if it is none; the next call goes on behind it
     */
    LogRow next() throws IOException, BrokenLineException;

    /** The names in a table's head; empty where each record names its fields. */
    default List<String> columns() {
        return List.of();
    }

    /** Where the last record began, readable or not. */
    long line();

    /** What {@link #line} counts. */
    default Position.Unit unit() {
        return Position.Unit.LINE;
    }

    /** The same with the file. */
    default Position position(Path file) {
        return new Position(file, unit(), line());
    }

    @Override
    void close() throws IOException;
}
