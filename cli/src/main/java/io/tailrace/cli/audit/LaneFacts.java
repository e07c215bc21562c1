package io.tailrace.cli.audit;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.RequestHash;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** What topics say of one lane. */
final class LaneFacts {
    private static final int RECENT = 8;
    private static final long MINUTE_MILLIS = 60_000;

    private final String lane;
    /** In the order in which they were announced, also those withdrawn since. */
    private final List<Announced> announced = new ArrayList<>();

    private final AnnouncedVersions versions = new AnnouncedVersions();
    private final List<ControlCommand> deletes = new ArrayList<>();
    private final Set<RequestHash> requests = new HashSet<>();
    private final Map<TokensHash, Answers> offered = new HashMap<>();
    private final Deque<Long> pending = new ArrayDeque<>();
    /** Tokens that had left the lane, by the end of each minute in which an account was told. */
    private final TreeMap<Long, Long> leftUntil = new TreeMap<>();

    private Map<String, Long> account;
    private long oldestTakenAt = Long.MAX_VALUE;
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

    /**
     * The newest account of the latest epoch counts.
     *
     * @param toldAt by the brokers' stamp, in epoch milliseconds
     */
    void accounted(Map<String, Long> numbers, long epoch, long toldAt) {
        if (epoch >= accountEpoch) {
            leftUntil(toldAt, left(numbers));
            accountEpoch = epoch;
            account = numbers;
            deletedTo = numbers.getOrDefault("deletedTo", deletedTo);
            pending.addLast(numbers.getOrDefault("tokensPending", 0L));
            if (pending.size() > RECENT) {
                pending.removeFirst();
            }
        }
    }

    /** Where less has left than before, a job went on from an older state, or files are mended: accounts before and after do not compare. */
    private void leftUntil(long toldAt, long left) {
        if (!leftUntil.isEmpty() && left < leftUntil.lastEntry().getValue()) {
            leftUntil.clear();
        }
        leftUntil.put((Math.floorDiv(toldAt, MINUTE_MILLIS) + 1) * MINUTE_MILLIS, left);
    }

    private static long left(Map<String, Long> numbers) {
        return numbers.getOrDefault("tokensExpired", 0L)
                + numbers.getOrDefault("tokensDeleted", 0L)
                + numbers.getOrDefault("tokensLost", 0L);
    }

    /** Until the next account says so, or that it is not. */
    void deleted(long issuedTo) {
        deletedTo = Math.max(deletedTo, issuedTo);
    }

    void command(ControlCommand delete) {
        deletes.add(delete);
    }

    /**
     * An answer on topic generations that was not rejected; one request counts once. All versions are known by then.
     *
     * @param source the number by which manifests name its partition
     * @param takenAt when the brokers took it, in epoch milliseconds
     */
    void offered(String requestId, TokensHash hash, int tokens, int source, long offset, long takenAt) {
        if (requests.add(RequestHash.of(requestId))) {
            oldestTakenAt = Math.min(oldestTakenAt, takenAt);
            boolean beyond = offset > newestOffset(source);
            offered.merge(hash, new Answers(1, beyond ? 1 : 0, tokens), Answers::and);
        }
    }

    /** Tokens that had left the lane before the brokers took the oldest of its answers on topic generations; empty: no account says. */
    OptionalLong leftBefore() {
        Map.Entry<Long, Long> before = leftUntil.floorEntry(oldestTakenAt);
        return before == null ? OptionalLong.empty() : OptionalLong.of(before.getValue());
    }

    /** Tokens that have left the lane since its state began, by the last account. */
    long left() {
        return left(account);
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
