package io.tailrace.lab.bench.leak;

import io.tailrace.worker.sampling.SamplingParameters;
import java.io.IOException;
import java.util.Arrays;

/**
 * What was answered? The attacker knows a request whose answer was sampled at temperature 1, and goes after the answer token by token. It has the
 * model, so it knows which seed makes the worker say a certain token next. For each of the likeliest next tokens it asks for two tokens with such a
 * seed: if the lane holds the token behind what is known, it is drafted and accepted, and both come of one step. The attacker takes the token
 * that was accepted, whose tokens came in one event, or that came soonest; of equals the likeliest. It is told the right token before it goes on,
 * so that each position counts; an attacker who is not told has lost the thread at the first wrong one, and tokens an hour count until there.
 */
final class Extraction {
    /** The candidate and one behind it: of one step, or of two. */
    private static final int ASKED_TOKENS = 2;

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
     * @param tries calls for each
     */
    record Effort(int secrets, int secretTokens, int candidates, int tries) {}

    /**
     * What an attack gave.
     *
     * @param setting of the worker
     * @param scope whether the attacker shares the victim's
     * @param channel what it looks at
     * @param right share of the positions at which it took the right token
     * @param guessedRight the same for who only takes the model's likeliest
     * @param guessError standard error of such a share
     * @param tokens right tokens of a secret before the first wrong one
     * @param guessedTokens the same for who only takes the model's likeliest
     * @param callsPerToken calls for each of these tokens
     * @param tokensPerHour these tokens by the time that the calls took
     */
    record Row(
            String setting,
            String scope,
            String channel,
            double right,
            double guessedRight,
            double guessError,
            double tokens,
            double guessedTokens,
            double callsPerToken,
            double tokensPerHour) {
        /** Whether more is right than guessing brings: 1 in 4,000 by chance. */
        boolean tells() {
            return right > guessedRight + Discrimination.ERRORS * guessError;
        }
    }

    /** Places of all secrets, and of those the ones before a first wrong token. */
    static final class Count {
        private int positions;
        private int right;
        private int positionsOnThread;
        private int rightOnThread;

        /** One secret, position by position. */
        void add(boolean[] rights) {
            boolean onThread = true;
            for (boolean isRight : rights) {
                positions++;
                right += isRight ? 1 : 0;
                positionsOnThread += onThread ? 1 : 0;
                onThread &= isRight;
                rightOnThread += onThread ? 1 : 0;
            }
        }

        /** Share of the positions whose token was right. */
        double right() {
            return (double) right / positions;
        }

        /** Standard error of that share. One right and one wrong position are added: a share of 0 is not known without error. */
        double error() {
            double share = (right + 1.0) / (positions + 2.0);
            return Math.sqrt(share * (1 - share) / positions);
        }

        /** Tokens before the first wrong one, of all secrets. */
        int rightOnThread() {
            return rightOnThread;
        }

        /** Places that were asked for them, the first wrong ones included. */
        int positionsOnThread() {
            return positionsOnThread;
        }
    }

    Extraction(Victim victim, Attacker attacker, PublicModel model, Secrets secrets, Effort effort, long seed) {
        this.victim = victim;
        this.attacker = attacker;
        this.model = model;
        this.secrets = secrets;
        this.effort = effort;
        this.seed = seed;
    }

    /** Attacks all secrets through one channel. */
    Row run(String setting, String scope, Channel channel, int firstSecret) throws IOException, InterruptedException {
        Count attacked = new Count();
        Count guessed = new Count();
        String asked = scope.equals("shared") ? Victim.SCOPE : Membership.OTHER_SCOPE;
        long nanos = 0;
        for (int number = firstSecret; number < firstSecret + effort.secrets(); number++) {
            int[] request = secrets.request(number);
            SamplingParameters sampling = new SamplingParameters(1, 0, 1, seed ^ number);
            int[] secret = victim.asks(request, effort.secretTokens(), sampling);
            boolean[] taken = new boolean[secret.length];
            boolean[] likeliest = new boolean[secret.length];
            for (int position = 0; position < secret.length; position++) {
                int[] known = context(request, secret, position);
                int[] candidates = model.likeliest(known, effort.candidates());
                long began = System.nanoTime();
                taken[position] = chosen(asked, channel, known, candidates) == secret[position];
                nanos += System.nanoTime() - began;
                likeliest[position] = candidates[0] == secret[position];
            }
            attacked.add(taken);
            guessed.add(likeliest);
        }
        return row(setting, scope, channel, attacked, guessed, nanos);
    }

    private Row row(String setting, String scope, Channel channel, Count attacked, Count guessed, long nanos) {
        int callsAPosition = effort.candidates() * effort.tries();
        double hoursAPosition = nanos / HOUR_NANOS / attacked.positions;
        return new Row(
                setting,
                scope,
                channel.title(),
                attacked.right(),
                guessed.right(),
                guessed.error(),
                (double) attacked.rightOnThread() / effort.secrets(),
                (double) guessed.rightOnThread() / effort.secrets(),
                (double) callsAPosition * attacked.positionsOnThread() / Math.max(1, attacked.rightOnThread()),
                attacked.rightOnThread() / (hoursAPosition * attacked.positionsOnThread()));
    }

    /** The candidate that looks most like one that was drafted; of equals the likeliest. */
    private int chosen(String scope, Channel channel, int[] known, int[] candidates)
            throws IOException, InterruptedException {
        int best = candidates[0];
        double bestScore = Double.NEGATIVE_INFINITY;
        for (long[] seeds : model.seedsOf(known, candidates, effort.tries())) {
            double score = 0;
            for (int time = 1; time < seeds.length; time++) {
                score += score(channel, attacker.sampled(scope, known, ASKED_TOKENS, 1, seeds[time]));
            }
            if (score / (seeds.length - 1) > bestScore) {
                bestScore = score / (seeds.length - 1);
                best = (int) seeds[0];
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
