package io.tailrace.suffix;

import java.util.Arrays;
import java.util.List;

/**
 * What a lane's snapshot says of each token: how often answers say it, how often they copy it from their context, and which tokens are said
 * most. Immutable; the counts are kept as classes, three bytes a token.
 *
 * <p><b>Counts.</b> A count's class is eight times its binary logarithm, so a class is nine percent wide. <i>Rarity</i> is a quarter of the
 * logarithm of answers to answers with the token, taking each occurrence for an answer of its own, and 0 at least. <i>Popularity</i> is the
 * log-odds of a token among all that is said.
 *
 * <p><b>Copies.</b> A token's copy rate is smoothed towards the lane's. What it says of a token that stands in the context is the logarithm
 * of the token's rate over the lane's; of one that does not, the same of the complements. Both are 0 where nothing is known.
 *
 * <p><b>Cost.</b> A snapshot is counted each time one is loaded: once a second where much is answered. So logarithms are taken only of what is
 * said: two a token whose context is known, one more where it is said 4,096 times or more.
 */
public final class LaneVocabulary {
    /** Of a lane without a snapshot. */
    public static final LaneVocabulary EMPTY = new LaneVocabulary(new TokenCounts());
    /** So many of the tokens said most are told. */
    public static final int POPULAR_MAX = 12;
    /** Classes of counts, and of copy rates. */
    public static final int CLASSES = 256;

    private static final int CLASSES_AN_OCTAVE = 8;
    private static final float RARITY_SCALE = 0.25f;
    private static final double SHARE_MIN = 0.0003;
    private static final double SHARE_MAX = 0.998;
    private static final double COPIES_ASSUMED = 4;
    private static final double RATE_FLOOR = 1e-3;
    /** Copy rates by their log-odds, in steps of a twentieth. */
    private static final int RATE_STEPS = 20;
    /** Of a token of which nothing is known: it has the lane's rate. */
    private static final int RATE_CENTRE = CLASSES / 2;

    /** Class of the count in the lower byte, of the copy rate in the higher one. */
    private final char[] classes;

    /** Class of the copy rate of what follows. */
    private final byte[] following;

    private final int unknown;
    private final int[] popular;
    private final float[] rarity = new float[CLASSES];
    private final float[] popularity = new float[CLASSES];
    private final float[] copiedHere = new float[CLASSES];
    private final float[] copiedElsewhere = new float[CLASSES];

    private LaneVocabulary(TokenCounts counts) {
        Copying copying = Copying.of(counts);
        this.classes = new char[counts.tokens()];
        this.following = new byte[counts.tokens()];
        this.unknown = classes(0, RATE_CENTRE);
        for (int token = 0; token < classes.length; token++) {
            following[token] = (byte) copying.classOf(counts.knownAfter(token), counts.copiedAfter(token));
            classes[token] =
                    (char) classes(counts.said(token), copying.classOf(counts.known(token), counts.copied(token)));
        }
        this.popular = new Popular(counts).tokens();
        fillCounts(counts);
        copying.fill(copiedHere, copiedElsewhere);
    }

    /**
     * Of the segments of a snapshot.
     *
     * @param older its older segments
     * @param newest its newest segment, or null
     * @return what they say together
     */
    public static LaneVocabulary of(List<? extends OccurrenceIndex> older, OccurrenceIndex newest) {
        if (older.isEmpty() && newest == null) {
            return EMPTY;
        }
        TokenCounts counts = new TokenCounts();
        for (OccurrenceIndex segment : older) {
            segment.count(counts);
        }
        if (newest != null) {
            newest.count(counts);
        }
        return new LaneVocabulary(counts);
    }

    /**
     * How many ids have classes of their own, for who copies them to another processor.
     *
     * @return ids from it on have the classes of a token of which nothing is known; at most {@link TokenCounts#TOKENS_MAX}
     */
    public int tokens() {
        return classes.length;
    }

    /**
     * A token's classes, for the look-ups below.
     *
     * @param token a token id
     * @return class of its count, and in the second byte of its copy rate
     */
    public int classes(int token) {
        return token < classes.length ? classes[token] : unknown;
    }

    /**
     * What is known of what follows a token, for {@link #copiedHere} and {@link #copiedElsewhere}.
     *
     * @param token a token id
     * @return in the second byte the class of the copy rate of the tokens that follow it
     */
    public int following(int token) {
        return (token < following.length ? following[token] & CLASSES - 1 : RATE_CENTRE) << Byte.SIZE;
    }

    /**
     * How rare a token is: 0 where each answer has it.
     *
     * @param classes of the token
     * @return 0 to about 4
     */
    public float rarity(int classes) {
        return rarity[classes & (CLASSES - 1)];
    }

    /**
     * Log-odds of a token among all that is said.
     *
     * @param classes of the token
     * @return about -8 to 6
     */
    public float popularity(int classes) {
        return popularity[classes & (CLASSES - 1)];
    }

    /**
     * What the token's copy rate says where it stands in the context.
     *
     * @param classes of the token
     * @return a logarithm of a ratio; 0: nothing
     */
    public float copiedHere(int classes) {
        return copiedHere[classes >>> Byte.SIZE];
    }

    /**
     * What the token's copy rate says where it does not.
     *
     * @param classes of the token
     * @return a logarithm of a ratio; 0: nothing
     */
    public float copiedElsewhere(int classes) {
        return copiedElsewhere[classes >>> Byte.SIZE];
    }

    /** {@return how many popular tokens there are, at most {@link #POPULAR_MAX}} */
    public int popularTokens() {
        return popular.length;
    }

    /**
     * One of the tokens that are said most.
     *
     * @param rank 0: most often
     * @return a token id
     */
    public int popularToken(int rank) {
        return popular[rank];
    }

    private static int classes(int said, int rate) {
        return CountClasses.of(said) | rate << Byte.SIZE;
    }

    private void fillCounts(TokenCounts counts) {
        long all = 0;
        for (int token = 0; token < counts.tokens(); token++) {
            all += counts.said(token);
        }
        for (int i = 0; i < CLASSES; i++) {
            double said = CountClasses.MIDDLES[i];
            double answers = Math.min(said, counts.documents());
            rarity[i] = RARITY_SCALE * (float) Math.max(0, StrictMath.log((counts.documents() + 1) / (answers + 0.5)));
            double share = Math.min(SHARE_MAX, Math.max(SHARE_MIN, (said + 0.02) / (all + 0.4)));
            popularity[i] = (float) (StrictMath.log(share / (1 - share)) * all / (all + 1.0));
        }
    }

    /** Classes of counts; those of small ones, which most tokens have, are in a table. */
    private static final class CountClasses {
        /** The count in the middle of each class. */
        static final double[] MIDDLES = middles();

        private static final double LOG_2 = StrictMath.log(2);
        private static final byte[] SMALL = small();

        static int of(int said) {
            return said < SMALL.length ? SMALL[said] & (CLASSES - 1) : computed(said);
        }

        private static int computed(int said) {
            return (int) Math.round(CLASSES_AN_OCTAVE * (StrictMath.log(said + 1.0) / LOG_2));
        }

        private static byte[] small() {
            byte[] classes = new byte[4_096];
            for (int said = 0; said < classes.length; said++) {
                classes[said] = (byte) computed(said);
            }
            return classes;
        }

        private static double[] middles() {
            double[] counts = new double[CLASSES];
            for (int i = 0; i < CLASSES; i++) {
                counts[i] = StrictMath.pow(2, (double) i / CLASSES_AN_OCTAVE) - 1;
            }
            return counts;
        }
    }

    /**
     * Copy rates, smoothed towards the lane's.
     *
     * @param base the lane's
     * @param baseLogOdds of it
     */
    private record Copying(double base, double baseLogOdds) {
        static Copying of(TokenCounts counts) {
            double known = 2;
            double copied = 1;
            for (int token = 0; token < counts.tokens(); token++) {
                known += counts.known(token);
                copied += counts.copied(token);
            }
            return new Copying(copied / known, logOdds(copied / known));
        }

        /** A step is from the lane's rate, so that a token of which nothing is known has the class in the middle. */
        int classOf(int known, int copied) {
            if (known == 0) {
                return RATE_CENTRE;
            }
            double rate = (copied + COPIES_ASSUMED * base) / (known + COPIES_ASSUMED);
            long step = Math.round(RATE_STEPS * (logOdds(rate) - baseLogOdds));
            return (int) Math.max(0, Math.min(CLASSES - 1, RATE_CENTRE + step));
        }

        void fill(float[] here, float[] elsewhere) {
            for (int i = 0; i < CLASSES; i++) {
                double odds = StrictMath.exp(baseLogOdds + (double) (i - RATE_CENTRE) / RATE_STEPS);
                double rate = odds / (1 + odds);
                here[i] = i == RATE_CENTRE ? 0 : (float) StrictMath.log(rate / base);
                elsewhere[i] = i == RATE_CENTRE
                        ? 0
                        : (float) StrictMath.log((1 - rate + RATE_FLOOR) / (1 - base + RATE_FLOOR));
            }
        }

        private static double logOdds(double rate) {
            return StrictMath.log(rate / (1 - rate));
        }
    }

    /** The tokens said most, the smaller id first among equals. */
    private record Popular(TokenCounts counts) {
        int[] tokens() {
            int[] best = new int[POPULAR_MAX];
            int size = 0;
            for (int token = 0; token < counts.tokens(); token++) {
                if (counts.said(token) > 0 && (size < POPULAR_MAX || before(token, best[size - 1]))) {
                    size = insert(best, size, token);
                }
            }
            return Arrays.copyOf(best, size);
        }

        private int insert(int[] best, int size, int token) {
            int at = Math.min(size, POPULAR_MAX - 1);
            while (at > 0 && before(token, best[at - 1])) {
                best[at] = best[at - 1];
                at--;
            }
            best[at] = token;
            return Math.min(size + 1, POPULAR_MAX);
        }

        private boolean before(int token, int other) {
            return counts.said(token) > counts.said(other);
        }
    }
}
