package io.tailrace.suffix.draft;

/**
 * The numbers behind a draft's arithmetic, for a drafter on another processor that shall give the same bits: copies of the
 * tables that {@link Mixer}, its inputs and its voters read. They never change while {@link Mixer#LAYOUT} stays.
 */
public final class MixerTables {
    private static final int LENGTHS = 23;
    private static final int SET_LENGTHS = 66;

    private MixerTables() {}

    /**
     * Log-odds of {@code votes} of {@code total}, at {@code total * (total + 1) / 2 + votes}, for totals of 0 to 255.
     *
     * @return a copy
     */
    public static float[] logOdds() {
        float[] table = new float[Features.row(Features.VOTES_MAX + 1)];
        for (int i = 0; i < table.length; i++) {
            table[i] = Features.logOdds(i);
        }
        return table;
    }

    /**
     * Logarithm of one plus 0 to 1,023.
     *
     * @return a copy
     */
    public static float[] logOnePlus() {
        float[] table = new float[Features.LOG_TABLE];
        for (int i = 0; i < table.length; i++) {
            table[i] = Features.logOnePlus(i);
        }
        return table;
    }

    /**
     * The exponential from -16 to 16 in steps of 1/128.
     *
     * @return a copy
     */
    public static float[] exponential() {
        return Features.exponentials();
    }

    /**
     * What a voter that matches 0 to 22 tokens adds to its source's packed votes; longer matches add what 22 does.
     *
     * @return a copy
     */
    public static long[] votes() {
        long[] table = new long[LENGTHS];
        for (int i = 0; i < table.length; i++) {
            table[i] = Features.vote(i);
        }
        return table;
    }

    /**
     * What is left of the credit of an answer that a request follows, after 0 to 127 steps without a match; after more of them as after 127.
     *
     * @return a copy
     */
    public static float[] creditsKept() {
        return Alignments.creditsKept();
    }

    /**
     * Weight set of a place by its longest match, 0 to 65; longer ones are in the last.
     *
     * @return a copy
     */
    public static int[] lengthSets() {
        int[] table = new int[SET_LENGTHS];
        for (int i = 0; i < table.length; i++) {
            table[i] = Features.lengthSet(i);
        }
        return table;
    }
}
