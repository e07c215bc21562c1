package io.tailrace.lab.logs;

import io.tailrace.lab.recorded.BrokenLineException;
import java.io.IOException;

/** The records of one file, one after the other. */
interface LogRows extends AutoCloseable {
    /**
     * The next record; null at the end.
     *
     * @throws BrokenLineException if it is none; the next call goes on behind it
     */
    LogRow next() throws IOException, BrokenLineException;

    /** Where the last record began, readable or not. */
    long line();

    @Override
    void close() throws IOException;
}
