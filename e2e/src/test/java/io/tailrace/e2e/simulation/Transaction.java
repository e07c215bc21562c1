package io.tailrace.e2e.simulation;

import io.tailrace.operators.OutgoingRecord;
import java.util.ArrayList;
import java.util.List;

/** What an exactly-once sink writes between two checkpoints: readers see all of it or nothing. */
final class Transaction {
    private final World world;
    private final SimulatedJob job;
    private final List<OutgoingRecord> snapshots = new ArrayList<>();
    private final List<OutgoingRecord> events = new ArrayList<>();
    private boolean ended;

    Transaction(World world, SimulatedJob job) {
        this.world = world;
        this.job = job;
    }

    void snapshot(OutgoingRecord record) {
        snapshots.add(record);
    }

    void event(OutgoingRecord record) {
        events.add(record);
    }

    void commit() {
        if (ended) {
            return;
        }
        ended = true;
        for (OutgoingRecord record : snapshots) {
            byte[] signature = world.keys.ofJob(world.snapshots, record.keyText(), record.value());
            world.announcements.committed(
                    job, world.snapshots.append(record.keyText(), record.value(), signature, world.now()));
        }
        events.forEach(record -> world.events.append(record.keyText(), record.value(), world.now()));
    }

    void abort() {
        ended = true;
    }
}
