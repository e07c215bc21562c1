package io.tailrace.client.follow;

import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.suffix.KeptOfPrompts;
import java.net.URI;
import java.nio.file.Path;

/**
 * How a worker follows snapshots.
 *
 * @param store where the job puts segments: a directory, {@code file:}, {@code s3:}, {@code http:} or {@code https:}
 * @param cacheFolder local folder for segment files; several workers of one machine may share it
 * @param cacheBytesMax files that no snapshot uses are deleted beyond it
 * @param lanesMax scopes one worker serves at most
 * @param freshTokensMax tokens of finished generations, a lane, that are kept until a snapshot holds them; 0: none
 * @param freshTokensAllMax the same of all lanes together, each generation counted as 150 more than it has; above it the lane used longest
 *     ago gives up its oldest. Clients of one process that have the same limit share it
 * @param freshFrom whose
 * @param jitterMillisMax a download starts at a random moment within it, sooner if it is small, so that a fleet does not fetch as one
 * @param trustedKeys who may announce versions and give commands; what they did not sign is left out
 * @param prompts what fresh answers that were served here keep of their prompts; the job says the same of all others
 */
public record FollowOptions(
        URI store,
        Path cacheFolder,
        long cacheBytesMax,
        int lanesMax,
        int freshTokensMax,
        long freshTokensAllMax,
        FreshFrom freshFrom,
        int jitterMillisMax,
        TrustedKeys trustedKeys,
        KeptOfPrompts prompts) {
    /** Of {@link #of}: 8 bytes each, twice that while they are sorted. */
    public static final long FRESH_TOKENS_ALL = 16_000_000;

    public FollowOptions {
        require(store != null, "store must be given", 0);
        require(cacheFolder != null, "cacheFolder must be given", 0);
        require(cacheBytesMax >= 0, "cacheBytesMax must not be negative, got %d", cacheBytesMax);
        require(lanesMax >= 1, "lanesMax must be at least 1, got %d", lanesMax);
        require(freshTokensMax >= 0, "freshTokensMax must not be negative, got %d", freshTokensMax);
        require(freshTokensAllMax >= 1, "freshTokensAllMax must be at least 1, got %d", freshTokensAllMax);
        require(freshFrom != null, "freshFrom must be given", 0);
        require(jitterMillisMax >= 0, "jitterMillisMax must not be negative, got %d", jitterMillisMax);
        require(trustedKeys != null, "trustedKeys must be given; it may be none", 0);
        require(prompts != null, "prompts must be given", 0);
    }

    /** 8 GiB of files, 256 lanes, 1 M fresh tokens of the whole fleet's a lane and 16 M of all, 200 ms of jitter; no signature is asked for. */
    public static FollowOptions of(URI store, Path cacheFolder) {
        return new FollowOptions(
                store,
                cacheFolder,
                8L << 30,
                256,
                1_000_000,
                FRESH_TOKENS_ALL,
                FreshFrom.FLEET,
                200,
                TrustedKeys.none(),
                KeptOfPrompts.usual());
    }

    public FollowOptions withFreshTokensMax(int tokensMax) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                lanesMax,
                tokensMax,
                freshTokensAllMax,
                freshFrom,
                jitterMillisMax,
                trustedKeys,
                prompts);
    }

    public FollowOptions withFreshTokensAllMax(long tokensMax) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                lanesMax,
                freshTokensMax,
                tokensMax,
                freshFrom,
                jitterMillisMax,
                trustedKeys,
                prompts);
    }

    public FollowOptions withFreshFrom(FreshFrom whose) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                lanesMax,
                freshTokensMax,
                freshTokensAllMax,
                whose,
                jitterMillisMax,
                trustedKeys,
                prompts);
    }

    public FollowOptions withLanesMax(int max) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                max,
                freshTokensMax,
                freshTokensAllMax,
                freshFrom,
                jitterMillisMax,
                trustedKeys,
                prompts);
    }

    public FollowOptions withTrustedKeys(TrustedKeys keys) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                lanesMax,
                freshTokensMax,
                freshTokensAllMax,
                freshFrom,
                jitterMillisMax,
                keys,
                prompts);
    }

    public FollowOptions withPrompts(KeptOfPrompts kept) {
        return new FollowOptions(
                store,
                cacheFolder,
                cacheBytesMax,
                lanesMax,
                freshTokensMax,
                freshTokensAllMax,
                freshFrom,
                jitterMillisMax,
                trustedKeys,
                kept);
    }

    private static void require(boolean condition, String rule, long got) {
        if (!condition) {
            throw new IllegalArgumentException(rule.formatted(got));
        }
    }
}
