package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.admission.AdmissionOptions;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.indexing.SimulatedIndexers;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.publishing.SimulatedPublishers.Content;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.AnnouncedVersions;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the test knows and nobody else: each generation, what each file holds, who wrote what. It says whether a rule is broken. */
final class Truth {
    /** A round of a lane comes so much later than what it waits for. */
    private static final long LATE_MILLIS = 2_500;

    private final World world;
    private final List<Answer> answers = new ArrayList<>();
    private final Map<RequestHash, Integer> ids = new HashMap<>();
    private final Map<String, List<Integer>> texts = new HashMap<>();
    private final List<Delete> deletes = new ArrayList<>();
    /** Those that a delete covers. */
    private final BitSet covered = new BitSet();

    private final Map<Long, SimulatedJob> writers = new HashMap<>();
    private final TreeMap<Integer, Long> newestOfJob = new TreeMap<>();
    private final IdentityHashMap<byte[], SnapshotManifest> decoded = new IdentityHashMap<>();
    private List<SimulatedJob> jobs = List.of();
    /** By lane, as every reader takes them. */
    private final Map<String, AnnouncedVersions> read = new HashMap<>();

    private SimulatedJob ruling;

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

    void of(List<SimulatedJob> all) {
        jobs = all;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation lives in a library that nothing else here needs
    static BrokenInvariantException broken(String rule, Object... values) {
        return new BrokenInvariantException(rule, values);
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
            if (ofAJob.key().equals("take-over-claim-" + job.id().toHexString())) {
                ruling = job;
            }
        }
    }

    /** The job that took over last; null: none. */
    SimulatedJob ruling() {
        return ruling;
    }

    /** A file that a job writes; a deletion that it makes. */
    SimulatedStore.Use storeUse(SimulatedJob job) {
        return new SimulatedStore.Use() {
            @Override
            public void put(String path, Path localFile) throws IOException {
                checkPath(path);
                if (path.endsWith(".segment") && !texts.containsKey(path)) {
                    texts.put(path, read(localFile));
                }
            }

            @Override
            public void delete(String path) {
                checkPath(path);
                checkSwept(job, path);
            }
        };
    }

    private static void checkPath(String path) {
        if (!path.matches("segments/toy@1/(acme|zenith)/[0-9a-f]{64}\\.(segment|sidecar)")) {
            throw broken("a file outside the lanes' folders was touched: %s", path);
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

    /** What the job that counts names must not be swept, or, while that is down, what it will be restored from names. */
    private void checkSwept(SimulatedJob sweeper, String path) {
        if (ruling == null) {
            return;
        }
        boolean runs = ruling.run() != null;
        Checkpoint newest = ruling.newest();
        OperatorState state = runs
                ? ruling.run().state("publisher")
                : newest == null ? new OperatorState() : newest.states().get("publisher");
        if (named(state, lane(path)).contains(path)) {
            throw broken("job %d removed %s, which the state of job %d names", sweeper.number(), path, ruling.number());
        }
    }

    private static String lane(String path) {
        String[] parts = path.split("/", -1);
        return parts[1] + "/" + parts[2];
    }

    private static Set<String> named(OperatorState publisher, String lane) {
        Object state = publisher.of(SimulatedPublishers.LANE).get(lane);
        return state == null ? Set.of() : SimulatedPublishers.named(state, World.PUBLISHING);
    }

    /** Versions of a lane that topic snapshots holds and nothing has withdrawn. */
    Map<Long, SnapshotManifest> standing(String lane) {
        return standing(lane, world.snapshots.end());
    }

    /** The same before this offset. */
    Map<Long, SnapshotManifest> standing(String lane, long end) {
        Map<Long, SnapshotManifest> standing = new TreeMap<>();
        for (Written record : world.snapshots.history()) {
            if (record.offset() >= end) {
                break;
            }
            if (record.key().startsWith(lane + "#")) {
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
            held.addAll(texts.getOrDefault(segment.getPath(), List.of()));
        }
        return held;
    }

    /** A publisher has emitted a manifest or a withdrawal; nobody sees it yet. */
    void emitted(Run run, OutgoingRecord record) {
        if (record.value() == null) {
            return;
        }
        SnapshotManifest manifest = manifest(record.value());
        for (int id : texts(manifest)) {
            for (Delete delete : covered.get(id) ? deletes : List.<Delete>of()) {
                if (delete.covers(answers.get(id))) {
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
        int id = id(answer.getRequestHigh(), answer.getRequestLow());
        for (Delete delete : deletes) {
            if (delete.covers(answers.get(id))
                    && (delete.offset() < run.controlAtStart()
                            || run.books().heardAt.containsKey(delete.id()))) {
                throw broken(
                        "job %d passes request %d on to topic admitted after delete %s, which covers it",
                        run.job().number(), id, delete.id());
            }
        }
    }

    /**
     * A run is about to read this offset of topic generations: each before it was read or is counted as lost. A gap of one that comes while it reads is
     * taken for a producer's transaction marker.
     */
    void reading(Run run, long offset) {
        Checkpoint.Books books = run.books();
        if (books.firstRead < 0) {
            books.firstRead = offset;
        } else if (run.hasRead() && offset == run.generationsAt() + 1) {
            books.mistaken++;
        }
        books.read++;
    }

    /** A job's transaction is committed: readers see this from now on. */
    void committed(SimulatedJob job, Written record) {
        String lane = record.key().substring(0, record.key().indexOf('#'));
        AnnouncedVersions versions = read.computeIfAbsent(lane, name -> new AnnouncedVersions());
        if (record.value() == null) {
            versions.withdraw(Long.parseLong(record.key().substring(lane.length() + 1)));
            return;
        }
        SnapshotManifest manifest = manifest(record.value());
        long version = manifest.getVersion();
        Long before = newestOfJob.put(job.number() * 2 + (lane.endsWith("acme") ? 0 : 1), version);
        if (before != null && version <= before) {
            throw broken("job %d announced version %d of lane %s after %d", job.number(), version, lane, before);
        }
        writers.put(version, job);
        if (versions.announce(manifest)) {
            checkCounts(job, lane, version, versions);
        }
    }

    /** Jobs claim in the order of their numbers. */
    private void checkCounts(SimulatedJob job, String lane, long version, AnnouncedVersions versions) {
        for (long earlier : versions.counting().headMap(version).keySet()) {
            SimulatedJob writer = writers.get(earlier);
            if (writer.number() > job.number()) {
                throw broken(
                        "version %d of lane %s of job %d counts, although job %d, which claimed after it, has announced %d",
                        version, lane, job.number(), writer.number(), earlier);
            }
        }
    }

    /** Null: nobody's of the jobs. */
    SimulatedJob writer(long version) {
        return writers.get(version);
    }

    /** After each event. */
    void check() {
        for (SimulatedJob job : jobs) {
            if (job.run() != null) {
                checkOffsets(job.run());
                checkBooks(job.run());
            }
        }
    }

    private void checkOffsets(Run run) {
        Checkpoint.Books books = run.books();
        if (books.firstRead >= 0 && run.generationsAt() - books.firstRead != books.read + books.lost + books.mistaken) {
            throw broken(
                    "job %d is at offset %d of topic generations, began at %d, has read %d and counts %d as lost",
                    run.job().number(), run.generationsAt(), books.firstRead, books.read, books.lost);
        }
    }

    private void checkBooks(Run run) {
        for (String scope : World.SCOPES) {
            checkBooks(run, scope);
        }
    }

    private void checkBooks(Run run, String scope) {
        String lane = World.lane(scope);
        Map<Integer, String> places = new LinkedHashMap<>();
        long deletedInShards = 0;
        for (int shard = 0; shard < World.SHARDS; shard++) {
            String key = lane + "#" + shard;
            Object counted = run.state("indexer").of(SimulatedIndexers.COUNTED).get(key);
            deletedInShards +=
                    counted == null ? 0 : SimulatedIndexers.counters(counted).tokensDeleted();
            Object memtable =
                    run.state("indexer").of(SimulatedIndexers.MEMTABLE).get(key);
            for (AdmittedGeneration kept :
                    memtable == null ? List.<AdmittedGeneration>of() : SimulatedIndexers.memtable(memtable)) {
                place(places, id(kept.requestHigh(), kept.requestLow()), "a memtable");
            }
        }
        Object state = run.state("publisher").of(SimulatedPublishers.LANE).get(lane);
        Map<String, Long> numbers = Map.of();
        if (state != null) {
            Content content = SimulatedPublishers.content(state, World.PUBLISHING);
            numbers = content.numbers();
            for (StoredSegment segment : content.segments()) {
                texts.get(segment.path()).forEach(id -> place(places, id, segment.path()));
            }
            balance(run, lane, numbers);
        }
        checkGone(run, scope, places.keySet(), numbers, deletedInShards);
    }

    private static void place(Map<Integer, String> places, int id, String place) {
        String other = places.put(id, place);
        if (other != null) {
            throw broken("request %d is in %s and in %s", id, other, place);
        }
    }

    private static void balance(Run run, String lane, Map<String, Long> numbers) {
        long accounted = 0;
        for (String part : List.of("tokensLive", "tokensPending", "tokensExpired", "tokensDeleted", "tokensLost")) {
            accounted += numbers.get(part);
        }
        if (numbers.get("tokensAdmitted") != accounted) {
            throw broken(
                    "the books of lane %s of job %d do not close: %s",
                    lane, run.job().number(), numbers);
        }
    }

    /** What was admitted and is nowhere has expired, was deleted or is counted as lost. */
    private void checkGone(
            Run run, String scope, Set<Integer> places, Map<String, Long> numbers, long deletedInShards) {
        long expired = numbers.getOrDefault("tokensExpired", 0L);
        long lost = numbers.getOrDefault("tokensLost", 0L);
        long gone = 0;
        long unexplained = 0;
        for (int id : run.books().admitted) {
            Answer answer = answers.get(id);
            if (!answer.scope().equals(scope) || places.contains(id)) {
                continue;
            }
            gone += answer.tokens().length;
            unexplained += covered.get(id) ? 0 : answer.tokens().length;
        }
        if (unexplained > expired + lost) {
            throw broken(
                    "%d tokens of lane %s of job %d are nowhere, %d are counted as expired and %d as lost",
                    unexplained, scope, run.job().number(), expired, lost);
        }
        if (gone < expired + lost) {
            throw broken(
                    "%d tokens of lane %s of job %d are gone, and %d are counted as expired and %d as lost (%d deleted in shards)",
                    gone, scope, run.job().number(), expired, lost, deletedInShards);
        }
    }

    /** When all is well and has been for long. */
    void checkAtRest() {
        Run run = ruling.run();
        if (run == null) {
            throw broken("job %d does not run although all is well", ruling.number());
        }
        for (String scope : World.SCOPES) {
            String lane = World.lane(scope);
            Object state = run.state("publisher").of(SimulatedPublishers.LANE).get(lane);
            if (state != null) {
                checkAtRest(run, lane, SimulatedPublishers.content(state, World.PUBLISHING));
            }
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
        Map<Long, SnapshotManifest> standing = standing(lane);
        for (Map.Entry<Long, SnapshotManifest> version : standing.entrySet()) {
            checkVersionAtRest(run, lane, version.getKey(), version.getValue());
        }
        Set<Integer> newest = new TreeSet<>();
        content.segments().forEach(segment -> newest.addAll(texts.get(segment.path())));
        Long last = standing.isEmpty() ? null : ((TreeMap<Long, SnapshotManifest>) standing).lastKey();
        if (last != null && !texts(standing.get(last)).equals(newest)) {
            throw broken(
                    "version %d of lane %s at rest holds %s, the job %s",
                    last, lane, texts(standing.get(last)), newest);
        }
        if (last == null && !newest.isEmpty()) {
            throw broken("lane %s holds %s and no version stands", lane, newest);
        }
    }

    private void checkVersionAtRest(Run run, String lane, long version, SnapshotManifest manifest) {
        if (writers.get(version) != run.job() && !content(run, lane).versions().containsKey(version)) {
            throw broken("version %d of lane %s stands, which the job does not retain", version, lane);
        }
        for (int id : texts(manifest)) {
            for (Delete delete : deletes) {
                if (delete.covers(answers.get(id))) {
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
