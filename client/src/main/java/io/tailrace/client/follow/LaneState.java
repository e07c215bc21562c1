package io.tailrace.client.follow;

import io.tailrace.schemas.LaneId;

/**
 * A lane as its worker follows it.
 *
 * @param loadedVersion what requests draft from, on a GPU that which is there; 0: none
 * @param loadedAtMillis 0: never
 * @param announcedVersion newest version announced and not withdrawn; 0: none
 * @param refreshAgeMillis since the newest version was seen, or 0 while it is the loaded one
 * @param held an operator's pin or rollback decides the version
 * @param loads successful loads since start
 * @param failures failed loads since start
 * @param lastFailure or null
 * @param freshnessSamples generations whose freshness was measured
 * @param freshnessP50Millis -1: none measured in the last ten to twenty minutes
 * @param freshnessP99Millis -1: none measured in the last ten to twenty minutes
 * @param heardSamples other workers' answers that were drafted from before a snapshot held them
 * @param heardP50Millis from their completion to the moment they could be drafted from; -1: none measured in the last ten to twenty minutes
 * @param heardP99Millis -1: none measured in the last ten to twenty minutes
 * @param freshTokens tokens of generations that no loaded snapshot is known to hold
 * @param freshTokensGivenUp tokens of those that had to go before one held them, since there were too many; since start
 */
public record LaneState(
        LaneId lane,
        long loadedVersion,
        long loadedAtMillis,
        long announcedVersion,
        long refreshAgeMillis,
        boolean held,
        long loads,
        long failures,
        String lastFailure,
        long freshnessSamples,
        long freshnessP50Millis,
        long freshnessP99Millis,
        long heardSamples,
        long heardP50Millis,
        long heardP99Millis,
        long freshTokens,
        long freshTokensGivenUp) {}
