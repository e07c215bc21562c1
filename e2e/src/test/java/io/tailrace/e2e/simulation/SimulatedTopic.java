package io.tailrace.e2e.simulation;

import io.tailrace.operators.RawRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
     * @param signature null: it is not signed
     * @param forged by somebody who has no key of the installation's
     */
    record Written(long offset, long at, String key, byte[] value, byte[] signature, boolean forged) {
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
        return append(key, value, null, now);
    }

    Written append(String key, byte[] value, byte[] signature, long now) {
        return add(new Written(history.size(), now, key, value, signature, false));
    }

    /** Somebody who has no key of the installation's writes a record. */
    Written forge(String key, byte[] value, byte[] signature, long now) {
        return add(new Written(history.size(), now, key, value, signature, true));
    }

    private Written add(Written written) {
        history.add(written);
        kept.put(written.offset(), written);
        return written;
    }

    /** As a job's source reads it. */
    RawRecord raw(Written record) {
        return new RawRecord(
                name, 0, record.offset(), record.at(), record.value(), record.keyBytes(), record.signature());
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

    /** A line for each record of {@link #history}, without its signature: keys are others in each process. */
    List<String> lines() {
        return history.stream()
                .map(record -> "%s %d %d %s %08x"
                        .formatted(name, record.offset(), record.at(), record.key(), Arrays.hashCode(record.value())))
                .toList();
    }

    /** Records written before go, read or not. */
    void retain(long writtenFrom) {
        while (!kept.isEmpty() && kept.firstEntry().getValue().at() < writtenFrom) {
            first = kept.pollFirstEntry().getKey() + 1;
        }
    }

    /**
     * Of each key the last record stays; tombstones written before go. The newest record stays, as those of the segment that is written do. What is forged
     * goes, and displaces nothing: signatures do not protect from loss.
     */
    void compact(long tombstonesFrom) {
        kept.values().removeIf(Written::forged);
        Map<String, Long> last = new HashMap<>();
        kept.values().forEach(record -> last.put(record.key(), record.offset()));
        kept.values()
                .removeIf(record -> record.offset() < end() - 1
                        && (last.get(record.key()) > record.offset()
                                || (record.value() == null && record.at() < tombstonesFrom)));
    }
}
