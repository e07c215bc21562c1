package io.tailrace.cli.audit;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** What topics say of one lane. */
final class LaneFacts {
    private static final int RECENT = 8;

    private final String lane;
    /** In the order in which they were announced, also those withdrawn since. */
    private final List<Announced> announced = new ArrayList<>();

    private final AnnouncedVersions versions = new AnnouncedVersions();
    private final List<ControlCommand> deletes = new ArrayList<>();
    private final Set<String> requests = new HashSet<>();
    private final Map<TokensHash, Answers> offered = new HashMap<>();
    private final Deque<Long> pending = new ArrayDeque<>();
    private Map<String, Long> account;
    private long accountEpoch;
    private long deletedTo = Long.MIN_VALUE;

    /**
     * Answers with the same tokens.
     *
     * @param beyond how many of them lie behind what the newest version has been told of
     * @param tokens of one of them
     */
    record Answers(int count, int beyond, int tokens) {
        Answers and(Answers more) {
            return new Answers(count + more.count, beyond + more.beyond, tokens);
        }
    }

    /** A version, and the epoch of the job that announced it. */
    record Announced(long version, long epoch) {}

    LaneFacts(String lane) {
        this.lane = lane;
    }

    void announced(SnapshotManifest manifest) {
        if (versions.announce(manifest)) {
            announced.add(new Announced(manifest.getVersion(), manifest.getEpoch()));
        }
    }

    void withdrawn(long version) {
        versions.withdraw(version);
    }

    /** The newest account of the latest epoch counts. */
    void accounted(Map<String, Long> numbers, long epoch) {
        if (epoch >= accountEpoch) {
            accountEpoch = epoch;
            account = numbers;
            pending.addLast(numbers.getOrDefault("tokensPending", 0L));
            if (pending.size() > RECENT) {
                pending.removeFirst();
            }
        }
    }

    void deleted(long issuedTo) {
        deletedTo = Math.max(deletedTo, issuedTo);
    }

    void command(ControlCommand delete) {
        deletes.add(delete);
    }

    /** A request whose answer was not admitted. */
    void rejected(String requestId) {
        requests.add(requestId);
    }

    /** An answer on topic generations; one request counts once, and one that was rejected not at all. All versions are known by then. */
    void offered(String requestId, TokensHash hash, int tokens, int partition, long offset) {
        if (requests.add(requestId)) {
            boolean beyond = offset > newestOffset(partition);
            offered.merge(hash, new Answers(1, beyond ? 1 : 0, tokens), Answers::and);
        }
    }

    private long newestOffset(int partition) {
        Map.Entry<Long, SnapshotManifest> newest = versions().lastEntry();
        return newest == null
                ? -1
                : newest.getValue().getSourceOffsets().stream()
                        .filter(source -> source.getPartition() == partition)
                        .mapToLong(SourceOffset::getOffset)
                        .max()
                        .orElse(-1);
    }

    String lane() {
        return lane;
    }

    List<Announced> announced() {
        return announced;
    }

    /** Announced and not withdrawn, by their number. */
    NavigableMap<Long, SnapshotManifest> versions() {
        return versions.counting();
    }

    /** The last account; null: none. */
    Map<String, Long> account() {
        return account;
    }

    /** Deletes that are not known to be done. */
    List<ControlCommand> deletesWaiting() {
        return deletes.stream().filter(delete -> delete.issuedAt() > deletedTo).toList();
    }

    /** Tokens that wait, by the last account; while any do: the most that did by the last few, which a version may be as old as. */
    long pending() {
        return pending.isEmpty() || pending.getLast() == 0 ? 0 : Collections.max(pending);
    }

    /** Of the job that told it; 0: none was read. */
    long accountEpoch() {
        return accountEpoch;
    }

    Map<TokensHash, Answers> offered() {
        return offered;
    }
}
