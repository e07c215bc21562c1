package io.tailrace.operators.intake;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.Tombstones;
import java.util.Map;

/**
 * One shard of one lane: recognises repeats and keeps the quotas. Holds no clock: both go by when the brokers took a generation. The function around it
 * checkpoints what it holds.
 */
final class ShardRules {
    /** What became of an offered generation. */
    enum Fate {
        /** It goes on to the lane. */
        TAKEN,
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
    private final DuplicateHorizon horizon;
    private final TokenQuota quota;
    private final ProducerQuotas producerQuotas;
    private ShardProgress.Counters counters = ShardProgress.Counters.ZERO;

    ShardRules(String lane, int shard, IntakeOptions options) {
        this.lane = lane;
        this.shard = shard;
        this.horizon = new DuplicateHorizon(options.duplicateHorizonMillis(), options.duplicateHashesMax());
        this.quota = new TokenQuota((double) options.quotas().scopeTokensPerMinute() / options.shards());
        this.producerQuotas =
                new ProducerQuotas((double) options.quotas().producerTokensPerMinute() / options.shards());
    }

    /** Takes up what a checkpoint held. */
    void restore(ShardProgress.Counters restored, Map<Long, DuplicateHorizon.Chunk> chunks) {
        counters = restored;
        horizon.restore(chunks);
    }

    Fate offer(AdmittedGeneration generation, Tombstones tombstones) {
        long arrivedAt = generation.arrivedAt();
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
        return Fate.TAKEN;
    }

    ShardProgress.Counters counters() {
        return counters;
    }

    DuplicateHorizon horizon() {
        return horizon;
    }

    /**
     * Where the shard stands.
     *
     * @param generation that goes on to the lane; null: none
     */
    ShardProgress progress(AdmittedGeneration generation) {
        return new ShardProgress(lane, shard, counters, generation);
    }
}
