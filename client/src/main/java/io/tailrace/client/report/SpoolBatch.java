package io.tailrace.client.report;

import java.util.List;

/** Records at the front of a spool, in order, with where each ends. */
final class SpoolBatch {
    private final long file;
    private final List<SpoolRecord> records;
    private final List<Long> ends;

    SpoolBatch(long file, List<SpoolRecord> records, List<Long> ends) {
        this.file = file;
        this.records = List.copyOf(records);
        this.ends = List.copyOf(ends);
    }

    public int size() {
        return records.size();
    }

    public SpoolRecord get(int place) {
        return records.get(place);
    }

    /** All of them come from one file. */
    long file() {
        return file;
    }

    long end(int place) {
        return ends.get(place);
    }
}
