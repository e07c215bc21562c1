package io.tailrace.lab.recorded;

import java.util.Iterator;

/** Recorded requests, one after the other, read as they are asked for. One thread at a time. */
public interface RecordedRequests extends Iterator<RecordedRequest>, AutoCloseable {
    @Override
    void close();
}
