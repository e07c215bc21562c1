package io.tailrace.suffix.draft;

/**
 * The inputs of one place's candidates, weighted. An input is the log-odds of a share of votes, and most candidates share in
 * few of them: what a candidate without any vote would have is summed once ({@code common}), and each candidate adds only
 * what its own votes make different. All sums run over the inputs in ascending order.
 */
final class PlaceInputs {
    private static final int COUNT_MASK = 0xff;

    private final float[] weight = new float[Features.COUNT];
    /** Input of a candidate without votes, and where the table's row for the input's total begins. */
    private final float[] voteless = new float[Features.VOTES];

    private final int[] row = new int[Features.VOTES];
    /** The inputs that have voters, ascending. */
    private final int[] used = new int[Features.VOTES];

    private int usedCount;
    private float depth;
    private float common;
    private int longest;
    private int latest;

    /** Takes the place in hand, and the mean of two weight sets. */
    void open(Candidates candidates, int place, float[] weights, int setA, int setB) {
        usedCount = 0;
        common = 0;
        for (int source = 0; source < Features.SOURCES; source++) {
            long totals = candidates.totals[place * Features.SOURCES + source];
            for (int input = source * Features.LEVELS; totals != 0; input++, totals >>>= Byte.SIZE) {
                int from = Features.row((int) totals & COUNT_MASK);
                float mean = (weights[setA + input] + weights[setB + input]) * 0.5f;
                row[input] = from;
                voteless[input] = Features.logOdds(from);
                weight[input] = mean;
                common += mean * voteless[input];
                used[usedCount++] = input;
            }
        }
        for (int input = Features.VOTES; input < Features.COUNT; input++) {
            weight[input] = (weights[setA + input] + weights[setB + input]) * 0.5f;
        }
        depth = Features.depth(candidates.depth[place]);
        common += weight[Features.BIAS];
        common += weight[Features.DEPTH] * depth;
        longest = candidates.longest[place];
        latest = candidates.latest[place];
    }

    /** The weighted sum of a candidate's inputs. */
    float logOdds(Candidates candidates, int candidate) {
        float sum = common;
        int at = candidate * Features.SOURCES;
        for (int source = 0; source < Features.SOURCES; source++) {
            long votes = candidates.votes[at + source];
            for (int input = source * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                sum += weight[input] * (Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input]);
            }
        }
        int own = candidates.votes(candidate, SourceKind.OWN);
        int support = support(candidates, candidate);
        sum += weight[Features.SUPPORT] * Features.logOnePlus(support);
        if (own > 0 && support > own) {
            sum += weight[Features.AGREEMENT];
        }
        sum += weight[Features.MATCH] * Features.match(candidates.match[candidate]);
        if (candidates.match[candidate] == longest) {
            sum += weight[Features.LONGEST];
        }
        if (own > 0 && candidates.latestOwn[candidate] == latest) {
            sum += weight[Features.LATEST];
        }
        return sum;
    }

    /** Adds {@code error} times what this candidate's inputs are beyond the common ones. */
    void addGradient(Candidates candidates, int candidate, float error, float[] gradient) {
        int at = candidate * Features.SOURCES;
        for (int source = 0; source < Features.SOURCES; source++) {
            long votes = candidates.votes[at + source];
            for (int input = source * Features.LEVELS; votes != 0; input++, votes >>>= Byte.SIZE) {
                gradient[input] +=
                        error * (Features.logOdds(row[input] + ((int) votes & COUNT_MASK)) - voteless[input]);
            }
        }
        int own = candidates.votes(candidate, SourceKind.OWN);
        int support = support(candidates, candidate);
        gradient[Features.SUPPORT] += error * Features.logOnePlus(support);
        if (own > 0 && support > own) {
            gradient[Features.AGREEMENT] += error;
        }
        gradient[Features.MATCH] += error * Features.match(candidates.match[candidate]);
        if (candidates.match[candidate] == longest) {
            gradient[Features.LONGEST] += error;
        }
        if (own > 0 && candidates.latestOwn[candidate] == latest) {
            gradient[Features.LATEST] += error;
        }
    }

    /** Adds the sum of all errors times the inputs that all candidates have in common. */
    void addCommonGradient(float errors, float[] gradient) {
        for (int i = 0; i < usedCount; i++) {
            gradient[used[i]] += errors * voteless[used[i]];
        }
        gradient[Features.BIAS] += errors;
        gradient[Features.DEPTH] += errors * depth;
    }

    private static int support(Candidates candidates, int candidate) {
        return candidates.votes(candidate, SourceKind.OWN)
                + candidates.votes(candidate, SourceKind.OLDER)
                + candidates.votes(candidate, SourceKind.NEWEST)
                + candidates.votes(candidate, SourceKind.FRESH);
    }
}
