package io.tailrace.lab.bench.leak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Was this asked before? In each trial a coin decides whether the victim asks a request that the attacker has in mind, or another one. Then the
 * attacker asks it, once in the victim's scope and once in a scope of its own. The lane holds what was asked in earlier trials, and grows.
 */
final class Membership {
    /** A scope in which nothing is ever answered. */
    static final String OTHER_SCOPE = "outside";

    private final Victim victim;
    private final Attacker attacker;
    private final Secrets secrets;
    private final int answerTokens;
    private final long seed;
    private final Map<Channel, Scores> ofShared = new EnumMap<>(Channel.class);
    private final Map<Channel, Scores> ofOther = new EnumMap<>(Channel.class);

    /**
     * How well a channel tells.
     *
     * @param setting of the worker
     * @param scope whether the attacker shares the victim's
     * @param channel what it looks at
     * @param trials of both worlds
     */
    record Row(String setting, String scope, String channel, int trials, Discrimination auc) {}

    private record Scores(List<Double> inside, List<Double> outside) {
        Scores() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    Membership(Victim victim, Attacker attacker, Secrets secrets, int answerTokens, long seed) {
        this.victim = victim;
        this.attacker = attacker;
        this.secrets = secrets;
        this.answerTokens = answerTokens;
        this.seed = seed;
    }

    /** Runs so many trials. */
    void run(int trials) throws IOException, InterruptedException {
        SplittableRandom coins = new SplittableRandom(seed);
        for (int trial = 0; trial < trials; trial++) {
            int[] inMind = secrets.request(2 * trial);
            boolean asked = coins.nextBoolean();
            victim.asks(asked ? inMind : secrets.request(2 * trial + 1), answerTokens);
            note(ofShared, attacker.look(Victim.SCOPE, inMind, answerTokens, trial), asked);
            note(ofOther, attacker.look(OTHER_SCOPE, inMind, answerTokens, trial), asked);
        }
    }

    /** What it gave, for the channels that were open. */
    List<Row> rows(String setting, List<Channel> channels) {
        List<Row> rows = new ArrayList<>();
        for (Channel channel : channels) {
            rows.add(row(setting, "shared", channel, ofShared.get(channel)));
            rows.add(row(setting, "other", channel, ofOther.get(channel)));
        }
        return rows;
    }

    private Row row(String setting, String scope, Channel channel, Scores scores) {
        return new Row(
                setting,
                scope,
                channel.title(),
                scores.inside().size() + scores.outside().size(),
                Discrimination.of(scores.inside(), scores.outside(), seed));
    }

    private static void note(Map<Channel, Scores> scores, Channel.Sight sight, boolean asked) {
        for (Channel channel : Channel.values()) {
            Scores of = scores.computeIfAbsent(channel, each -> new Scores());
            (asked ? of.inside() : of.outside()).add(channel.score(sight));
        }
    }
}
