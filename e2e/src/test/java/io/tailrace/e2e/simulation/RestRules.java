package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.e2e.simulation.Truth.Answer;
import io.tailrace.e2e.simulation.Truth.Delete;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.publishing.SimulatedPublishers.Content;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;

/** What holds when all is well and has been for long. */
final class RestRules {
    private final World world;
    private final Truth truth;

    RestRules(World world) {
        this.world = world;
        this.truth = world.truth;
    }

    /** When all is well and has been for long. */
    void check() {
        SimulatedJob ruling = truth.ruling();
        if (ruling == null) {
            throw broken("no job has taken the installation over although all is well");
        }
        Run run = ruling.run();
        if (run == null) {
            throw broken("job %d does not run although all is well", ruling.number());
        }
        checkRead(run);
        for (String scope : World.SCOPES) {
            String lane = World.lane(scope);
            if (run.state("publisher").of(SimulatedPublishers.LANE).get(lane) == null) {
                throw broken("job %d has no books of lane %s at rest", ruling.number(), lane);
            }
            checkAtRest(run, lane, content(run, lane));
            checkLastAnswer(scope, lane);
        }
    }

    /** The job has read all of topic generations, and what is still there of it is in its books: admission swallows nothing. */
    private void checkRead(Run run) {
        if (run.generationsAt() != world.generations.end()) {
            throw broken(
                    "job %d is at offset %d of topic generations at rest, which ends at %d",
                    run.job().number(), run.generationsAt(), world.generations.end());
        }
        for (Written record : world.generations.from(world.generations.first()).values()) {
            if (!run.books().admitted.contains(truth.id(record))) {
                throw broken(
                        "request %s at offset %d of topic generations was not admitted and not refused",
                        record.key(), record.offset());
            }
        }
    }

    /** What was answered last in a scope is in the newest version of its lane. */
    private void checkLastAnswer(String scope, String lane) {
        Answer last = truth.last(scope);
        NavigableMap<Long, SnapshotManifest> standing = truth.standing(lane);
        if (standing.isEmpty()) {
            throw broken("no version of lane %s stands at rest, and request %d is in it", lane, last.id());
        }
        if (!truth.texts(standing.lastEntry().getValue()).contains(last.id())) {
            throw broken(
                    "version %d of lane %s at rest does not hold request %d, its last",
                    standing.lastKey(), lane, last.id());
        }
    }

    private void checkAtRest(Run run, String lane, Content content) {
        if (content.numbers().get("tokensPending") > 0) {
            throw broken(
                    "lane %s is at rest, and its books say %s; segments and whether the store holds them: %s",
                    lane,
                    content.numbers(),
                    content.segments().stream()
                            .map(segment -> segment.path() + " " + world.store.has(segment.path()))
                            .toList());
        }
        NavigableMap<Long, SnapshotManifest> standing = truth.standing(lane);
        for (Map.Entry<Long, SnapshotManifest> version : standing.entrySet()) {
            checkVersionAtRest(run, lane, version.getKey(), version.getValue());
        }
        Set<Integer> newest = new TreeSet<>();
        content.segments().forEach(segment -> newest.addAll(truth.texts(segment.path())));
        Long last = standing.isEmpty() ? null : standing.lastKey();
        if (last != null && !truth.texts(standing.get(last)).equals(newest)) {
            throw broken(
                    "version %d of lane %s at rest holds %s, the job %s",
                    last, lane, truth.texts(standing.get(last)), newest);
        }
        if (last == null && !newest.isEmpty()) {
            throw broken("lane %s holds %s and no version stands", lane, newest);
        }
    }

    private void checkVersionAtRest(Run run, String lane, long version, SnapshotManifest manifest) {
        if (world.announcements.writer(lane, version) != run.job()
                && !content(run, lane).versions().containsKey(version)) {
            throw broken("version %d of lane %s stands, which the job does not retain", version, lane);
        }
        for (int id : truth.texts(manifest)) {
            for (Delete delete : truth.deletes()) {
                if (delete.covers(truth.answers().get(id))) {
                    throw broken(
                            "version %d at rest holds request %d, which delete %s covers", version, id, delete.id());
                }
            }
        }
        for (SegmentReference segment : manifest.getSegments()) {
            String path = segment.getPath();
            if (!world.store.has(path)) {
                throw broken("version %d of lane %s at rest names %s, which is gone", version, lane, path);
            }
        }
    }

    private static Content content(Run run, String lane) {
        return SimulatedPublishers.content(
                run.state("publisher").of(SimulatedPublishers.LANE).get(lane), World.PUBLISHING);
    }
}
