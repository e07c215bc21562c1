package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the test knows and nobody else: each generation, each delete, what each file holds. What is broken, others say by it. */
final class Truth {
    private final World world;
    private final List<Answer> answers = new ArrayList<>();
    private final Map<RequestHash, Integer> ids = new HashMap<>();
    private final Map<String, List<Integer>> texts = new HashMap<>();
    private final List<Delete> deletes = new ArrayList<>();
    /** Those that a delete covers. */
    private final BitSet covered = new BitSet();

    private final IdentityHashMap<byte[], SnapshotManifest> decoded = new IdentityHashMap<>();
    private List<SimulatedJob> jobs = List.of();
    private SimulatedJob ruling;
    private BrokenInvariantException broken;

    /** What was answered to one request: no other answer has its text. */
    record Answer(int id, String scope, long completedAt, int[] tokens) {
        String requestId() {
            return "r" + id;
        }
    }

    /** Of topic control. */
    record Delete(String id, String scope, Integer request, long issuedAt, long offset) {
        boolean covers(Answer answer) {
            if (!answer.scope().equals(scope)) {
                return false;
            }
            return request == null
                    ? answer.completedAt() <= issuedAt
                    : request == answer.id()
                            && answer.completedAt() <= issuedAt + AdmissionOptions.Limits.FUTURE_MILLIS_MAX;
        }
    }

    Truth(World world) {
        this.world = world;
    }

    /** A rule was broken where the job could bear it. */
    void broken(BrokenInvariantException rule) {
        broken = rule;
    }

    /** Throws what was. */
    void check() {
        if (broken != null) {
            throw broken;
        }
    }

    long brokersTime() {
        return world.now();
    }

    void of(List<SimulatedJob> all) {
        jobs = all;
    }

    SimulatedJob job(int number) {
        return jobs.stream().filter(job -> job.number() == number).findFirst().orElse(null);
    }

    List<SimulatedJob> jobs() {
        return jobs;
    }

    /** A new answer; its first two tokens say which. */
    Answer answer(String scope, long completedAt) {
        int id = answers.size();
        int[] tokens = new int[3 + world.random.nextInt(6)];
        tokens[0] = id / 400;
        tokens[1] = 100 + id % 400;
        for (int i = 2; i < tokens.length; i++) {
            tokens[i] = 500 + i;
        }
        Answer answer = new Answer(id, scope, completedAt, tokens);
        answers.add(answer);
        ids.put(RequestHash.of(answer.requestId()), id);
        covered.set(id, deletes.stream().anyMatch(delete -> delete.covers(answer)));
        return answer;
    }

    List<Answer> answers() {
        return answers;
    }

    /** The newest answer of a scope. */
    Answer last(String scope) {
        return answers.stream()
                .filter(answer -> answer.scope().equals(scope))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    /** Of a record of topic generations. */
    int id(Written generation) {
        return ids.get(RequestHash.of(generation.key()));
    }

    int id(long high, long low) {
        return ids.get(new RequestHash(high, low));
    }

    private static int idOf(int[] tokens) {
        return tokens[0] * 400 + tokens[1] - 100;
    }

    void deleted(ControlCommand command, Integer request, Written record) {
        Delete delete = new Delete(command.commandId(), command.scope(), request, command.issuedAt(), record.offset());
        deletes.add(delete);
        answers.stream().filter(delete::covers).forEach(answer -> covered.set(answer.id()));
    }

    List<Delete> deletes() {
        return deletes;
    }

    /** A job has claimed the installation, or taken it over. */
    void said(Written ofAJob) {
        for (SimulatedJob job : jobs) {
            if (ofAJob.key()
                    .equals("take-over-claim-" + SimulatedJob.ID.toHexString() + "-"
                            + job.claim().nonce())) {
                ruling = job;
            }
        }
    }

    /** The job that took over last; null: none. */
    SimulatedJob ruling() {
        return ruling;
    }

    boolean isCovered(int id) {
        return covered.get(id);
    }

    /** A delete of its whole scope covers an answer, were it complete by then. */
    boolean isCoveredAsOf(Answer answer, long completedAt) {
        return deletes.stream()
                .anyMatch(delete -> delete.request() == null
                        && delete.scope().equals(answer.scope())
                        && completedAt <= delete.issuedAt());
    }

    /** A job writes a file. */
    void wrote(String path, Path localFile) throws IOException {
        if (path.endsWith(".segment") && !texts.containsKey(path)) {
            texts.put(path, read(localFile));
        }
    }

    private static List<Integer> read(Path file) throws IOException {
        List<Integer> held = new ArrayList<>();
        try (Segment segment = Segment.inspect(file)) {
            for (int document = 0; document < segment.documents(); document++) {
                for (int copy = 0; copy < segment.multiplicity(document); copy++) {
                    held.add(idOf(segment.answer(document).tokens()));
                }
            }
        }
        return held;
    }

    /** Requests that a file holds, as often as it does. */
    List<Integer> texts(String path) {
        return texts.getOrDefault(path, List.of());
    }

    /** Versions of a lane that topic snapshots holds and nothing has withdrawn. */
    NavigableMap<Long, SnapshotManifest> standing(String lane) {
        return standing(lane, world.snapshots.end());
    }

    /** The same before this offset. */
    NavigableMap<Long, SnapshotManifest> standing(String lane, long end) {
        NavigableMap<Long, SnapshotManifest> standing = new TreeMap<>();
        for (Written record : world.snapshots.history()) {
            if (record.offset() >= end) {
                break;
            }
            if (!record.forged() && record.key().startsWith(lane + "#")) {
                long version = Long.parseLong(record.key().substring(lane.length() + 1));
                if (record.value() == null) {
                    standing.remove(version);
                } else {
                    standing.put(version, manifest(record.value()));
                }
            }
        }
        return standing;
    }

    SnapshotManifest manifest(byte[] value) {
        return decoded.computeIfAbsent(value, bytes -> {
            try {
                return RecordCodec.SNAPSHOT_MANIFEST.decode(bytes);
            } catch (UndecodableRecordException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** What a manifest's files hold. */
    Set<Integer> texts(SnapshotManifest manifest) {
        Set<Integer> held = new TreeSet<>();
        for (SegmentReference segment : manifest.getSegments()) {
            held.addAll(texts(segment.getPath()));
        }
        return held;
    }
}
