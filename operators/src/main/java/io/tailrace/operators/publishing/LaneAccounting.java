package io.tailrace.operators.publishing;

import java.util.Map;
import java.util.TreeMap;

/**
 * The lane's books, each number from its own source, so that the equation <i>admitted = live + pending + expired + deleted</i>
 * says something: admitted and memtables from the shards' reports, live and waiting level-0 segments from the files, expired
 * and deleted from the merges that dropped them.
 */
final class LaneAccounting {
    private LaneAccounting() {}

    static Map<String, Long> numbers(LaneState state) {
        long admitted = 0;
        long duplicate = 0;
        long rejected = 0;
        long tokensAdmitted = 0;
        long pending = 0;
        long deleted = state.tokensDeleted;
        for (ShardStanding shard : state.shards.values()) {
            admitted += shard.counters().recordsAdmitted();
            duplicate += shard.counters().recordsDuplicate();
            rejected += shard.counters().recordsRejected();
            tokensAdmitted += shard.counters().tokensAdmitted();
            deleted += shard.counters().tokensDeleted();
            pending += shard.memtableTokens();
        }
        for (var flush : state.flushes) {
            pending += flush.segment().liveTokens();
        }
        long live = state.newest == null ? 0 : state.newest.liveTokens();
        for (LiveSegment segment : state.older) {
            live += segment.liveTokens();
        }
        Map<String, Long> numbers = new TreeMap<>();
        numbers.put("recordsAdmitted", admitted);
        numbers.put("recordsDuplicate", duplicate);
        numbers.put("recordsRejected", rejected);
        numbers.put("tokensAdmitted", tokensAdmitted);
        numbers.put("tokensLive", live);
        numbers.put("tokensPending", pending);
        numbers.put("tokensExpired", state.tokensExpired);
        numbers.put("tokensDeleted", deleted);
        numbers.put("snapshotVersion", state.version);
        return numbers;
    }
}
