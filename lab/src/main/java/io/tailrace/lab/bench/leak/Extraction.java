package io.tailrace.lab.bench.leak;

import io.tailrace.worker.sampling.SamplingParameters;
import java.io.IOException;
import java.util.Arrays;

/**
 * What was answered? The attacker knows a request whose answer was sampled at temperature 1, and goes after the answer token by token. For each of
 * the likeliest next tokens by its own copy of the model it asks what follows request, known part and that token, and takes the one behind which
 * the answer comes in the fewest events, or soonest, or with the most accepted. The first wrong token ends a secret: behind it there is nothing to
 * find.
 */
final class Extraction {
    /** Answer of a call: enough for a draft to show. */
    private static final int ASKED_TOKENS = 8;

    private static final double HOUR_NANOS = 3.6e12;

    private final Victim victim;
    private final Attacker attacker;
    private final PublicModel model;
    private final Secrets secrets;
    private final Effort effort;
    private final long seed;

    /**
     * How hard the attacker tries.
     *
     * @param secrets answers it goes after
     * @param secretTokens of each
     * @param candidates next tokens that are tried
     */
    record Effort(int secrets, int secretTokens, int candidates) {}

    /**
     * What an attack gave.
     *
     * @param setting of the worker
     * @param scope whether the attacker shares the victim's
     * @param channel what it looks at
     * @param tokens right tokens a secret until the first wrong one
     * @param guessedTokens the same for who only takes the model's likeliest
     * @param callsPerToken calls for each right token
     * @param tokensPerHour right tokens by the calls' time
     * @param gainedPerHour those beyond guessing
     */
    record Row(
            String setting,
            String scope,
            String channel,
            double tokens,
            double guessedTokens,
            double callsPerToken,
            double tokensPerHour,
            double gainedPerHour) {}

    Extraction(Victim victim, Attacker attacker, PublicModel model, Secrets secrets, Effort effort, long seed) {
        this.victim = victim;
        this.attacker = attacker;
        this.model = model;
        this.secrets = secrets;
        this.effort = effort;
        this.seed = seed;
    }

    /** Attacks all secrets through one channel; a time is the least of so many calls. */
    Row run(String setting, String scope, Channel channel, int firstSecret, int repeats)
            throws IOException, InterruptedException {
        int right = 0;
        int guessed = 0;
        long nanos = 0;
        long callsBefore = attacker.calls();
        for (int number = 0; number < effort.secrets(); number++) {
            int[] request = secrets.request(firstSecret + number);
            int[] secret = victim.asks(
                    request, effort.secretTokens(), new SamplingParameters(1, 0, 1, seed ^ (firstSecret + number)));
            guessed += guessed(request, secret);
            long began = System.nanoTime();
            right += extracted(
                    scope.equals("shared") ? Victim.SCOPE : Membership.OTHER_SCOPE, channel, request, secret, repeats);
            nanos += System.nanoTime() - began;
        }
        double hours = nanos / HOUR_NANOS;
        return new Row(
                setting,
                scope,
                channel.title(),
                (double) right / effort.secrets(),
                (double) guessed / effort.secrets(),
                (double) (attacker.calls() - callsBefore) / Math.max(1, right),
                right / hours,
                (right - guessed) / hours);
    }

    private int guessed(int[] request, int[] secret) {
        int right = 0;
        while (right < secret.length && model.likeliest(context(request, secret, right), 1)[0] == secret[right]) {
            right++;
        }
        return right;
    }

    private int extracted(String scope, Channel channel, int[] request, int[] secret, int repeats)
            throws IOException, InterruptedException {
        int right = 0;
        while (right < secret.length
                && next(scope, channel, context(request, secret, right), repeats) == secret[right]) {
            right++;
        }
        return right;
    }

    /** The candidate that looks most like one whose continuation is known; of equals the likeliest. */
    private int next(String scope, Channel channel, int[] known, int repeats) throws IOException, InterruptedException {
        int[] candidates = model.likeliest(known, effort.candidates());
        int best = candidates[0];
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int candidate : candidates) {
            int[] asked = Arrays.copyOf(known, known.length + 1);
            asked[known.length] = candidate;
            double score = Double.NEGATIVE_INFINITY;
            for (int repeat = 0; repeat < repeats; repeat++) {
                score = Math.max(score, score(channel, attacker.streamed(scope, asked, ASKED_TOKENS, true)));
            }
            if (score > bestScore) {
                bestScore = score;
                best = candidate;
            }
        }
        return best;
    }

    private static double score(Channel channel, Observation seen) {
        return switch (channel) {
            case REPORT -> seen.accepted();
            case SIZES -> seen.events() == 0 ? 0 : (double) seen.tokens() / seen.events();
            case LAST -> (double) seen.tokens() / seen.lastNanos();
            default -> throw new IllegalArgumentException("no attack looks at " + channel);
        };
    }

    private static int[] context(int[] request, int[] secret, int known) {
        int[] context = Arrays.copyOf(request, request.length + known);
        System.arraycopy(secret, 0, context, request.length, known);
        return context;
    }
}
