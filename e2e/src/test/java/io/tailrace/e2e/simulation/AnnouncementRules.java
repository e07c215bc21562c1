package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.e2e.simulation.Truth.Delete;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What jobs may announce, withdraw and pass on. */
final class AnnouncementRules {
    /** A round of a lane comes so much later than what it waits for. */
    private static final long LATE_MILLIS = 2_500;

    private final Truth truth;
    private final Map<String, SimulatedJob> writers = new HashMap<>();
    private final TreeMap<Integer, Long> newestOfJob = new TreeMap<>();
    /** By lane, as every reader takes them. */
    private final Map<String, AnnouncedVersions> read = new HashMap<>();

    AnnouncementRules(Truth truth) {
        this.truth = truth;
    }

    /** A publisher has emitted a manifest or a withdrawal; nobody sees it yet. */
    void emitted(Run run, OutgoingRecord record) {
        if (record.value() == null) {
            return;
        }
        SnapshotManifest manifest = truth.manifest(record.value());
        long now = Math.max(run.job().now(), truth.brokersTime());
        if (!VersionNumbers.isPlausible(manifest.getVersion(), now)) {
            throw broken(
                    "job %d announces version %d at %d by its and the brokers' clocks: no reader would take it",
                    run.job().number(), manifest.getVersion(), now);
        }
        for (int id : truth.texts(manifest)) {
            if (run.books().rolledBack.contains(id)) {
                throw broken(
                        "job %d announces version %d with request %d, which a rollback had taken out of the lane",
                        run.job().number(), manifest.getVersion(), id);
            }
            for (Delete delete : truth.isCovered(id) ? truth.deletes() : List.<Delete>of()) {
                if (delete.covers(truth.answers().get(id))) {
                    checkForgotten(run, manifest, id, delete);
                }
            }
        }
    }

    private void checkForgotten(Run run, SnapshotManifest manifest, int id, Delete delete) {
        boolean missed = delete.offset() < run.controlAtStart()
                && !run.heardBeforeStart().contains(delete.id());
        if (missed) {
            throw broken(
                    "job %d, restored from before delete %s, announces version %d with request %d, which it covers",
                    run.job().number(), delete.id(), manifest.getVersion(), id);
        }
        Long heardAt = run.books().heardAt.get(delete.id());
        if (heardAt != null && run.job().now() - heardAt >= World.DELETE_MILLIS_MAX + LATE_MILLIS) {
            throw broken(
                    "job %d announces version %d with request %d %d ms after it heard of delete %s",
                    run.job().number(), manifest.getVersion(), id, run.job().now() - heardAt, delete.id());
        }
    }

    /** A shard has passed an answer on to topic admitted. */
    void passedOn(Run run, OutgoingRecord record) {
        AdmittedAnswer answer;
        try {
            answer = RecordCodec.ADMITTED_ANSWER.decode(record.value());
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException(e);
        }
        int id = truth.id(answer.getRequestHigh(), answer.getRequestLow());
        for (Delete delete : truth.deletes()) {
            if (delete.covers(truth.answers().get(id))
                    && (delete.offset() < run.controlAtStart()
                            || run.books().heardAt.containsKey(delete.id()))) {
                throw broken(
                        "job %d passes request %d on to topic admitted after delete %s, which covers it",
                        run.job().number(), id, delete.id());
            }
        }
    }

    /** A job's transaction is committed: readers see this from now on. */
    void committed(SimulatedJob job, Written record) {
        String lane = record.key().substring(0, record.key().indexOf('#'));
        AnnouncedVersions versions = read.computeIfAbsent(lane, name -> new AnnouncedVersions());
        if (record.value() == null) {
            versions.withdraw(Long.parseLong(record.key().substring(lane.length() + 1)));
            return;
        }
        SnapshotManifest manifest = truth.manifest(record.value());
        long version = manifest.getVersion();
        Long before = newestOfJob.put(job.number() * 2 + (lane.endsWith("acme") ? 0 : 1), version);
        if (before != null && version <= before) {
            throw broken("job %d announced version %d of lane %s after %d", job.number(), version, lane, before);
        }
        writers.put(record.key(), job);
        if (versions.announce(manifest)) {
            checkCounts(job, lane, version, versions);
        }
    }

    /** Jobs claim in the order of their numbers. */
    private void checkCounts(SimulatedJob job, String lane, long version, AnnouncedVersions versions) {
        for (long earlier : versions.counting().headMap(version).keySet()) {
            SimulatedJob writer = writer(lane, earlier);
            if (writer.number() > job.number()) {
                throw broken(
                        "version %d of lane %s of job %d counts, although job %d, which claimed after it, has"
                                + " announced %d",
                        version, lane, job.number(), writer.number(), earlier);
            }
        }
    }

    /** Null: nobody's of the jobs. */
    SimulatedJob writer(String lane, long version) {
        return writers.get(lane + "#" + version);
    }
}
