package io.tailrace.operators.indexing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Compaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One shard of one lane: recognises repeats, keeps the quotas, gathers generations in its memtable and says when to flush.
 * Holds no file and no clock: repeats and quotas go by when the brokers took a generation. The function around it brings files, and
 * checkpoints what it holds.
 */
final class ShardIndex {
    /** What became of an offered generation. */
    enum Fate {
        /** It is in the memtable. */
        GATHERED,
        /** A repeat; dropped. */
        DUPLICATE,
        /** Over the scope's quota; refused. */
        OVER_QUOTA,
        /** Over its producer's quota; refused. */
        OVER_PRODUCER_QUOTA,
        /** Taken in and forgotten at once, for a delete covers it. */
        DELETED
    }

    private final String lane;
    private final int shard;
    private final IndexingOptions options;
    private final DuplicateHorizon horizon;
    private final TokenQuota quota;
    private final ProducerQuotas producerQuotas;
    private final List<AdmittedGeneration> memtable = new ArrayList<>();
    private ShardProgress.Counters counters = ShardProgress.Counters.ZERO;
    private long memtableTokens;
    private boolean unreported;
    private long changes;

    ShardIndex(String lane, int shard, IndexingOptions options) {
        this.lane = lane;
        this.shard = shard;
        this.options = options;
        this.horizon = new DuplicateHorizon(options.duplicateHorizonMillis(), options.duplicateHashesMax());
        this.quota = new TokenQuota((double) options.quotas().scopeTokensPerMinute() / options.shards());
        this.producerQuotas =
                new ProducerQuotas((double) options.quotas().producerTokensPerMinute() / options.shards());
    }

    /** Takes up what a checkpoint held. */
    void restore(
            ShardProgress.Counters restoredCounters,
            Iterable<AdmittedGeneration> generations,
            Map<Long, DuplicateHorizon.Chunk> chunks) {
        counters = restoredCounters;
        horizon.restore(chunks);
        for (AdmittedGeneration generation : generations) {
            gather(generation);
        }
    }

    Fate offer(AdmittedGeneration generation, Tombstones tombstones) {
        long arrivedAt = generation.arrivedAt();
        unreported = true;
        int tokens = generation.tokens().length;
        if (horizon.contains(generation.requestHigh(), generation.requestLow(), arrivedAt)) {
            counters = counters.plusDuplicate();
            return Fate.DUPLICATE;
        }
        TokenQuota ofProducer = producerQuotas.of(generation.producer(), arrivedAt);
        if (!ofProducer.covers(tokens, arrivedAt)) {
            counters = counters.plusRejected();
            return Fate.OVER_PRODUCER_QUOTA;
        }
        if (!quota.take(tokens, arrivedAt)) {
            counters = counters.plusRejected();
            return Fate.OVER_QUOTA;
        }
        ofProducer.take(tokens, arrivedAt);
        horizon.add(generation.requestHigh(), generation.requestLow());
        counters = counters.plusAdmitted(tokens);
        if (tombstones.covers(generation.requestHigh(), generation.requestLow(), generation.completedAt())) {
            counters = counters.plusDeleted(tokens);
            return Fate.DELETED;
        }
        gather(generation);
        return Fate.GATHERED;
    }

    private void gather(AdmittedGeneration generation) {
        memtable.add(generation);
        memtableTokens += generation.tokens().length;
        unreported = true;
        changes++;
    }

    /** Forgets the memtable's generations that the tombstones cover; true if there were any. */
    boolean delete(Tombstones tombstones) {
        long before = memtableTokens;
        memtable.removeIf(generation -> {
            boolean covered =
                    tombstones.covers(generation.requestHigh(), generation.requestLow(), generation.completedAt());
            if (covered) {
                memtableTokens -= generation.tokens().length;
            }
            return covered;
        });
        if (memtableTokens == before) {
            return false;
        }
        counters = counters.plusDeleted(before - memtableTokens);
        unreported = true;
        changes++;
        return true;
    }

    boolean isFull() {
        return memtableTokens >= options.flushTokensMax();
    }

    boolean isOverfull() {
        return memtableTokens > options.memtableTokensMax();
    }

    boolean isEmpty() {
        return memtable.isEmpty();
    }

    /** True if numbers changed since the last report. */
    boolean isUnreported() {
        return unreported;
    }

    /** How often the memtable has changed. */
    long changes() {
        return changes;
    }

    List<AdmittedGeneration> memtable() {
        return Collections.unmodifiableList(memtable);
    }

    List<Compaction.Input> inputs() {
        List<Compaction.Input> inputs = new ArrayList<>(memtable.size());
        memtable.forEach(generation -> inputs.add(generation.toInput()));
        return inputs;
    }

    long memtableTokens() {
        return memtableTokens;
    }

    ShardProgress.Counters counters() {
        return counters;
    }

    DuplicateHorizon horizon() {
        return horizon;
    }

    /** Reports the memtable as written into {@code segment}, and empties it. */
    ShardProgress flushed(StoredSegment segment) {
        if (segment.liveTokens() != memtableTokens) {
            throw new IllegalStateException("segment %s of lane %s, shard %d holds %d tokens, its memtable held %d"
                    .formatted(segment.sha256(), lane, shard, segment.liveTokens(), memtableTokens));
        }
        long[] completionTimes =
                memtable.stream().mapToLong(AdmittedGeneration::completedAt).toArray();
        Map<Integer, Long> offsets = new HashMap<>();
        memtable.forEach(generation -> offsets.merge(generation.partition(), generation.offset(), Math::max));
        memtable.clear();
        memtableTokens = 0;
        changes++;
        return report(new ShardProgress.Flushed(segment, completionTimes, offsets));
    }

    /** Reports the numbers alone. */
    ShardProgress report() {
        return report(null);
    }

    private ShardProgress report(ShardProgress.Flushed flushed) {
        unreported = false;
        return new ShardProgress(lane, shard, counters, memtableTokens, flushed);
    }
}
