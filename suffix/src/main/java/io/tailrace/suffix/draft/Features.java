package io.tailrace.suffix.draft;

/**
 * Layout of the mixer's inputs, and the tables that make them cheap.
 *
 * <p>A candidate token at a place has one input per poll and threshold (the log-odds of its share of the votes cast by voters that
 * reach it), then {@value #SCALARS} scalars. Each source is a poll, its thresholds are match lengths. In one more poll the answers to the
 * four most similar requests vote once more: all of them, two, and one are its thresholds. All counts are small integers, so
 * every logarithm comes from a table built once with {@link StrictMath}: the same figures on every machine.
 *
 * <p>The votes of one poll are one long: byte <i>l</i> counts the voters that reach threshold <i>l</i>. A voter counts at
 * every threshold it reaches, so a vote is one addition of {@link #vote} or {@link #rankVote}, and the counts only fall from byte to
 * byte: the first zero byte ends them. A poll takes {@value #VOTES_MAX} voters at a place; what comes later is not counted.
 */
final class Features {
    /** Who votes: each source, and once more the answers to the most similar requests. */
    static final int POLLS = SourceKind.values().length + 1;
    /** The last of them. */
    static final int RANKED = POLLS - 1;

    private static final int[] LENGTHS = {1, 2, 3, 4, 6, 9, 14, 22};

    static final int LEVELS = LENGTHS.length;
    /** Of the ranked votes: those of the four most similar requests' answers, of the two, of the one. */
    static final int RANKS = 3;

    static final int VOTES = RANKED * LEVELS + RANKS;
    static final int VOTES_MAX = 255;

    /** Log of one plus the ungapped votes for the candidate. */
    static final int SUPPORT = 0;
    /** One where the own context and a shared source both vote for it. */
    static final int AGREEMENT = 1;

    static final int BIAS = 2;
    /** Log of one plus the longest match among its voters, centred. */
    static final int MATCH = 3;
    /** A tenth of the node's depth. */
    static final int DEPTH = 4;
    /** One where a voter of the node's longest match votes for it. */
    static final int LONGEST = 5;
    /** One where the latest own voter of the place votes for it. */
    static final int LATEST = 6;
    /** The token's rarity in the lane, where the request's context has it. */
    static final int RARITY_HERE = 7;
    /** The same where the context does not have it. */
    static final int RARITY_ELSEWHERE = 8;
    /** What the lane says of how often the token is copied from its context, and of how often what follows the token before is. */
    static final int COPY_RATE = 9;
    /** One where the request's own answer has said it. */
    static final int IN_ANSWER = 10;
    /** Its rarity, where an own voter votes for it. */
    static final int RARITY_OWN = 11;
    /** Log of one plus how often the context has it, scaled. */
    static final int COUNT_HERE = 12;
    /** One where the context had it lately. */
    static final int NEAR_HERE = 13;
    /** At the context's end, where popular tokens are candidates: log-odds of the token among all that the lane says. */
    static final int POPULARITY = 14;
    /** One where no voter names it. */
    static final int UNVOTED = 15;

    /** Inputs of a candidate that are no shares of votes; they follow those in the layout. */
    static final int SCALARS = 16;

    static final int COUNT = VOTES + SCALARS;

    /** Weight sets chosen by the node's longest match. */
    static final int LENGTH_SETS = 15;
    /** Weight sets chosen by the number of candidates, and whether own and shared sources have voters at all. */
    static final int CROWD_SETS = 32;

    /** Weights of the scalars chosen by the candidate: in the context or not, who votes for it, how rare it is. */
    static final int TOKEN_SETS = 48;

    private static final int RARITIES = 4;
    /** Rarer than this is in the highest of the classes. */
    private static final float RARITY_STEP = 0.425f;

    private static final int CROWD_MAX = 8;
    static final int LOG_TABLE = 1024;
    private static final float MATCH_CENTRE = 1.5f;
    private static final float DEPTH_SCALE = 0.1f;
    private static final float COUNT_SCALE = 0.3f;
    static final int EXPONENT_MAX = 16;
    private static final int EXPONENT_STEPS = 128;
    private static final float[] EXPONENTIAL = exponential();
    private static final float[] LOG_ONE_PLUS = logOnePlus();
    private static final float[] LOG_ODDS = logOdds();
    private static final long[] VOTE = vote();
    private static final long[] RANK_VOTE = {0x010101, 0x0101, 0x01, 0x01};
    private static final byte[] LENGTH_SET_OF = lengthSetOf();

    private Features() {}

    /** What a voter of this match length adds to its source's votes. */
    static long vote(int matchLength) {
        return VOTE[Math.min(matchLength, VOTE.length - 1)];
    }

    /** What an answer adds to the ranked votes whose request is the {@code rank}-th most similar, from 0; 0 if it has none. */
    static long rankVote(int rank) {
        return rank < RANK_VOTE.length ? RANK_VOTE[rank] : 0;
    }

    /** Where the log-odds of shares of {@code total} begin: {@link #logOdds(int)} at it plus the votes is a share's. */
    static int row(int total) {
        return total * (total + 1) / 2;
    }

    /** Log-odds of a share of votes, smoothed, and drawn to zero where few have voted: at {@link #row} plus the votes. */
    static float logOdds(int at) {
        return LOG_ODDS[at];
    }

    static float logOnePlus(int count) {
        return LOG_ONE_PLUS[Math.min(count, LOG_TABLE - 1)];
    }

    static float match(int matchLength) {
        return logOnePlus(matchLength) - MATCH_CENTRE;
    }

    static float depth(int depth) {
        return depth * DEPTH_SCALE;
    }

    static float countHere(int count) {
        return logOnePlus(count) * COUNT_SCALE;
    }

    static int tokenSet(boolean here, boolean own, boolean shared, boolean similar, float rarity) {
        int rarityClass = Math.min(RARITIES - 1, (int) (rarity / RARITY_STEP));
        int others = similar ? 2 : shared ? 1 : 0;
        return (here ? 1 : 0) + (own ? 2 : 0) + 4 * others + 12 * rarityClass;
    }

    static int lengthSet(int longestMatch) {
        return LENGTH_SET_OF[Math.min(longestMatch, LENGTH_SET_OF.length - 1)];
    }

    static int crowdSet(int candidates, boolean own, boolean shared) {
        return (Math.min(candidates, CROWD_MAX) - 1) * 4 + (own ? 1 : 0) + (shared ? 2 : 0);
    }

    /**
     * The exponential function from a table with linear interpolation: relative error below 1e-5, clamped outside [-16, 16], the
     * same bits on every machine.
     */
    static float exponential(float exponent) {
        float at = (exponent + EXPONENT_MAX) * EXPONENT_STEPS;
        if (!(at > 0)) {
            return EXPONENTIAL[0];
        }
        int index = (int) at;
        if (index >= EXPONENTIAL.length - 1) {
            return EXPONENTIAL[EXPONENTIAL.length - 1];
        }
        float low = EXPONENTIAL[index];
        return low + (EXPONENTIAL[index + 1] - low) * (at - index);
    }

    static float[] exponentials() {
        return EXPONENTIAL.clone();
    }

    private static float[] exponential() {
        float[] table = new float[2 * EXPONENT_MAX * EXPONENT_STEPS + 1];
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) StrictMath.exp((double) i / EXPONENT_STEPS - EXPONENT_MAX);
        }
        return table;
    }

    private static float exactLogOdds(int votes, int total) {
        double share = Math.min(0.995, Math.max(0.005, (votes + 0.02) / (total + 0.4)));
        return (float) (StrictMath.log(share / (1 - share)) * total / (total + 1));
    }

    private static float[] logOdds() {
        float[] table = new float[row(VOTES_MAX + 1)];
        for (int total = 1; total <= VOTES_MAX; total++) {
            for (int votes = 0; votes <= total; votes++) {
                table[row(total) + votes] = exactLogOdds(votes, total);
            }
        }
        return table;
    }

    private static float[] logOnePlus() {
        float[] table = new float[LOG_TABLE];
        for (int i = 0; i < LOG_TABLE; i++) {
            table[i] = (float) StrictMath.log1p(i);
        }
        return table;
    }

    private static long[] vote() {
        long[] table = new long[LENGTHS[LEVELS - 1] + 1];
        for (int length = 1; length < table.length; length++) {
            for (int level = 0; level < LEVELS && length >= LENGTHS[level]; level++) {
                table[length] |= 1L << (Byte.SIZE * level);
            }
        }
        return table;
    }

    private static byte[] lengthSetOf() {
        int[] upTo = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64};
        byte[] table = new byte[66];
        for (int length = 1, set = 0; length < table.length; length++) {
            while (set < upTo.length && length > upTo[set]) {
                set++;
            }
            table[length] = (byte) set;
        }
        return table;
    }
}
