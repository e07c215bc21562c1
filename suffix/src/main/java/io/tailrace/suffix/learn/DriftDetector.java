package io.tailrace.suffix.learn;

/**
 * Says when a lane's traffic is no longer what it was.
 *
 * <p>Two sequences are watched over all generations: how novel a generation's tokens are under those of
 * {@value #REFERENCE_GENERATIONS} reference generations ({@link TokenReference}), and the mixers' log-loss on it. Acceptance is not
 * among them: it can rise across a shift. Each is held against its own past in both directions ({@link RankEvidence}); an alarm is
 * raised when the mean of all statistics reaches the number of generations that false alarms shall lie apart.
 *
 * <p>With an alarm the reference is taken anew, from the generations that follow: the next alarm compares with the traffic as
 * it is then. The alarm stays on for {@value #ALARM_GENERATIONS} generations.
 */
public final class DriftDetector {
    public static final int REFERENCE_GENERATIONS = 128;
    public static final int ALARM_GENERATIONS = 400;
    /** Recent means fade over so many. */
    static final int RECENT = 32;

    private static final double NOVELTY_BIN_BITS = 1 / 64.0;
    private static final double LOSS_BIN_NATS = 1 / 128.0;
    /** The log-loss of a growing index creeps by less. */
    static final double LOSS_TOLERANCE_NATS = 0.35;
    /** The log-loss is not tested before so many: a cold index learns fast. */
    static final int LOSS_FROM = 256;

    private final RankEvidence noveltyEvidence = new RankEvidence(NOVELTY_BIN_BITS, 0);
    private final RankEvidence lossEvidence = new RankEvidence(LOSS_BIN_NATS, LOSS_TOLERANCE_NATS);
    private final State state;
    private final double logThreshold;

    /** What a generation changed. */
    public enum Change {
        NONE,
        /** An alarm is raised: the traffic has shifted. */
        ALARM,
        /** The alarm is over: so many generations have come since it was raised, whatever they were. */
        ENDED
    }

    /**
     * A detector over a state that it changes.
     *
     * @param generationsPerFalseAlarm while nothing shifts, an alarm within n generations has at most the probability n / this
     */
    public DriftDetector(State state, long generationsPerFalseAlarm) {
        if (generationsPerFalseAlarm < 1) {
            throw new IllegalArgumentException(
                    "generationsPerFalseAlarm must be >= 1, got " + generationsPerFalseAlarm);
        }
        this.state = state;
        this.logThreshold = Math.log((double) generationsPerFalseAlarm);
    }

    /** Takes in a generation's tokens, as {@link TokenReference#sketch} gives them. */
    public Change onGeneration(short[] sketch, long nowMillis) {
        state.generations++;
        boolean ends = state.alarmLeft == 1;
        state.alarmLeft = Math.max(0, state.alarmLeft - 1);
        if (state.referenceGenerations < REFERENCE_GENERATIONS) {
            state.tokensCounted += TokenReference.count(sketch, state.tokenCounts);
            state.referenceGenerations++;
        } else {
            double novelty = TokenReference.novelty(sketch, state.tokenCounts, state.tokensCounted);
            noveltyEvidence.add(novelty, state.novelty);
            state.novelty.note(novelty);
        }
        return raised(nowMillis) ? Change.ALARM : ends ? Change.ENDED : Change.NONE;
    }

    /** Takes in a generation's log-loss, in nats, summed over so many predictions. */
    public Change onLogLoss(double nats, long predictions, long nowMillis) {
        if (predictions <= 0 || !Double.isFinite(nats)) {
            return Change.NONE;
        }
        double loss = nats / predictions;
        if (state.logLoss.numbers >= LOSS_FROM) {
            lossEvidence.add(loss, state.logLoss);
        } else {
            // ranked against later, not betted on
            state.logLoss.counts[(int) Math.max(0, Math.min(RankEvidence.BINS - 1, loss / LOSS_BIN_NATS))]++;
        }
        state.logLoss.note(loss);
        return raised(nowMillis) ? Change.ALARM : Change.NONE;
    }

    private boolean raised(long nowMillis) {
        if (logEvidence() < logThreshold) {
            return false;
        }
        state.alarms++;
        state.alarmedAt = nowMillis;
        state.alarmLeft = ALARM_GENERATIONS;
        state.tokenCounts = new int[TokenReference.BUCKETS];
        state.tokensCounted = 0;
        state.referenceGenerations = 0;
        state.novelty.restart();
        state.logLoss.restart();
        return true;
    }

    /** Logarithm of the mean of all statistics. */
    public double logEvidence() {
        double max = Double.NEGATIVE_INFINITY;
        for (double[] bets : bets()) {
            for (double bet : bets) {
                max = Math.max(max, bet);
            }
        }
        if (max == Double.NEGATIVE_INFINITY) {
            return max;
        }
        double sum = 0;
        for (double[] bets : bets()) {
            for (double bet : bets) {
                sum += Math.exp(bet - max);
            }
        }
        return max + Math.log(sum / (2 * RankEvidence.BETS));
    }

    private double[][] bets() {
        return new double[][] {state.novelty.logEvidence, state.logLoss.logEvidence};
    }

    public boolean alarm() {
        return state.alarmLeft > 0;
    }

    /** Recent mean novelty, bits a token. */
    public double novelty() {
        return state.novelty.recent;
    }

    /** Mean novelty since the reference was taken. */
    public double noveltyReference() {
        return state.novelty.mean();
    }

    /** Recent mean log-loss, nats a prediction. */
    public double logLoss() {
        return state.logLoss.recent;
    }

    /** Mean log-loss since the reference was taken. */
    public double logLossReference() {
        return state.logLoss.mean();
    }

    /** What a {@link DriftDetector} remembers of one lane; plain fields, so that it can be checkpointed. */
    public static final class State {
        /** Tokens of the reference generations, by bucket. */
        public int[] tokenCounts = new int[TokenReference.BUCKETS];

        public long tokensCounted;
        /** Generations in the reference so far. */
        public int referenceGenerations;
        /** Bits a token under the reference. */
        public RankEvidence.State novelty = new RankEvidence.State();
        /** Nats a prediction. */
        public RankEvidence.State logLoss = new RankEvidence.State();
        /** Generations seen. */
        public long generations;
        /** Alarms raised. */
        public long alarms;
        /** When the last one was raised, epoch milliseconds; 0: never. */
        public long alarmedAt;
        /** Generations for which the alarm stays on; 0: no alarm is on. */
        public int alarmLeft;
    }
}
