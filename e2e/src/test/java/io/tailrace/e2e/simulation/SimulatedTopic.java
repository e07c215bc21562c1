package io.tailrace.e2e.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One partition of a topic, with Kafka's retention and compaction done when the test says so. Remembers all that ever was written, which no
 * reader sees.
 */
final class SimulatedTopic {
    private final String name;
    private final List<Written> history = new ArrayList<>();
    private final TreeMap<Long, Written> kept = new TreeMap<>();
    private long first;

    /**
     * A record.
     *
     * @param value null: a tombstone
     */
    record Written(long offset, long at, String key, byte[] value) {
        byte[] keyBytes() {
            return key.getBytes(StandardCharsets.UTF_8);
        }
    }

    SimulatedTopic(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    Written append(String key, byte[] value, long now) {
        Written written = new Written(history.size(), now, key, value);
        history.add(written);
        kept.put(written.offset(), written);
        return written;
    }

    /** The offset of the next record. */
    long end() {
        return history.size();
    }

    /** The first offset that retention has left. */
    long first() {
        return first;
    }

    /** What a reader at this offset finds, in order. */
    NavigableMap<Long, Written> from(long offset) {
        return kept.tailMap(offset, true);
    }

    /** All that was ever written; its index is its offset. */
    List<Written> history() {
        return Collections.unmodifiableList(history);
    }

    /** Records written before go, read or not. */
    void retain(long writtenFrom) {
        while (!kept.isEmpty() && kept.firstEntry().getValue().at() < writtenFrom) {
            first = kept.pollFirstEntry().getKey() + 1;
        }
    }

    /** Of each key the last record stays; tombstones written before go. The newest record stays, as those of the segment that is written do. */
    void compact(long tombstonesFrom) {
        Map<String, Long> last = new HashMap<>();
        kept.values().forEach(record -> last.put(record.key(), record.offset()));
        kept.values()
                .removeIf(record -> record.offset() < end() - 1
                        && (last.get(record.key()) > record.offset()
                                || (record.value() == null && record.at() < tombstonesFrom)));
    }
}
