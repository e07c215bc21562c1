package io.tailrace.operators.intake;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A shard's part of the quotas of its lane's producers: a bucket for each name.
 *
 * <p>A name is what a producer says it is. So that one that says a new name with each answer gains little,
 *
 * <ul>
 *   <li>a new name's bucket begins with half of what one bucket holds that all new names share,
 *   <li>no more than {@value #PRODUCERS_MAX} names have a bucket of their own. Further ones share that same one, until a name
 *       has been silent for {@value #IDLE_MILLIS_MIN} ms and makes room.
 * </ul>
 *
 * <p>Names met within a minute of the first one begin full: a restarted job knows none, and most are those that were there before.
 * One that prepares its names ahead has as much as so many producers together, which only the scope's quota bounds.
 */
public final class ProducerQuotas {
    /** Most names of a lane that a shard keeps apart; of a name of the longest allowed, a bucket has below 500 bytes. */
    public static final int PRODUCERS_MAX = 256;

    static final long IDLE_MILLIS_MIN = 3_600_000;
    private static final TokenQuota UNLIMITED = new TokenQuota(0);

    private final double tokensPerMinute;
    private final TokenQuota shared;
    /** The name that was silent for longest stands first. */
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    private boolean begun;
    private boolean settled;
    private long begunAt;

    private static final class Bucket {
        private final TokenQuota quota;
        private long usedAt;

        private Bucket(TokenQuota quota, long usedAt) {
            this.quota = quota;
            this.usedAt = usedAt;
        }
    }

    /** Quotas of so many tokens a minute for each producer; 0 for no limit. */
    public ProducerQuotas(double tokensPerMinute) {
        this.tokensPerMinute = tokensPerMinute;
        this.shared = new TokenQuota(tokensPerMinute);
    }

    /** The bucket that a producer's tokens come out of now. */
    public TokenQuota of(String producer, long nowMillis) {
        if (tokensPerMinute == 0) {
            return UNLIMITED;
        }
        settle(nowMillis);
        Bucket bucket = buckets.get(producer);
        if (bucket == null && hasRoom(nowMillis)) {
            bucket = new Bucket(begin(nowMillis), nowMillis);
            buckets.put(producer, bucket);
        }
        if (bucket == null) {
            return shared;
        }
        bucket.usedAt = nowMillis;
        return bucket.quota;
    }

    private void settle(long nowMillis) {
        if (!begun) {
            begun = true;
            begunAt = nowMillis;
        }
        settled |= nowMillis - begunAt >= TokenQuota.MINUTE_MILLIS;
    }

    private boolean hasRoom(long nowMillis) {
        if (buckets.size() < PRODUCERS_MAX) {
            return true;
        }
        Iterator<Bucket> longestSilent = buckets.values().iterator();
        boolean idle = nowMillis - longestSilent.next().usedAt >= IDLE_MILLIS_MIN;
        if (idle) {
            longestSilent.remove();
        }
        return idle;
    }

    private TokenQuota begin(long nowMillis) {
        return settled ? new TokenQuota(tokensPerMinute, shared.takeHalf(nowMillis)) : new TokenQuota(tokensPerMinute);
    }

    /** Names that have a bucket of their own. */
    int names() {
        return buckets.size();
    }
}
