package io.tailrace.lab.bench.poison;

import io.tailrace.lab.replay.OnlineReplay;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayLane;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Honest requests one after the other against one lane, and in the middle third of them a flood. An answer can be drafted from at once. One
 * drafter serves all and learns from what the honest requests accept.
 */
final class PoisonedReplay {
    private static final double SECOND_MILLIS = 1_000;

    private final List<ReplayCase> requests;
    private final int budget;
    private final double requestsPerSecond;
    private final int vocabulary;

    /**
     * A flood.
     *
     * @param times answers of junk for each honest one
     */
    record Dose(Flood flood, int times, long seed) {}

    /**
     * What was accepted of each request's drafts.
     *
     * @param accepted draft tokens
     * @param steps verifications
     * @param honestRefused answers that the quota kept out
     * @param junkAdmitted answers of the flood that got in
     */
    record Served(int[] accepted, int[] steps, int honestRefused, int junkAdmitted) {
        /** Accepted draft tokens a step of some requests. */
        double acceptedPerStep(int from, int to) {
            return (double) Arrays.stream(accepted, from, to).sum()
                    / Arrays.stream(steps, from, to).sum();
        }
    }

    PoisonedReplay(List<ReplayCase> requests, int budget, double requestsPerSecond) {
        this.requests = requests;
        this.budget = budget;
        this.requestsPerSecond = requestsPerSecond;
        this.vocabulary = 1
                + requests.stream()
                        .flatMapToInt(request -> Arrays.stream(request.response()))
                        .max()
                        .orElseThrow();
    }

    /** First request of the flood. */
    int floodFrom() {
        return requests.size() / 3;
    }

    /** First request behind it. */
    int floodTo() {
        return 2 * requests.size() / 3;
    }

    int requests() {
        return requests.size();
    }

    /** What honest requests bring in a minute. */
    double tokensPerMinute() {
        double tokens = requests.stream()
                .mapToInt(request -> request.response().length)
                .average()
                .orElseThrow();
        return tokens * requestsPerSecond * 60;
    }

    /** Replays with a flood, or without. */
    Served run(Optional<Dose> dose, Quotas quotas) {
        Drafter drafter = StrategyChoice.parse("adaptive").drafter(new float[0]);
        ReplayLane lane = new ReplayLane();
        SplittableRandom random = new SplittableRandom(dose.map(Dose::seed).orElse(0L));
        int[] accepted = new int[requests.size()];
        int[] steps = new int[requests.size()];
        int refused = 0;
        int junk = 0;
        for (int i = 0; i < requests.size(); i++) {
            ReplayCase request = requests.get(i);
            ReplayTally tally = OnlineReplay.decode(drafter, request, lane.index(), budget);
            accepted[i] = (int) tally.accepted();
            steps[i] = (int) tally.steps();
            refused += add(lane, request.answer(), true, quotas, i) ? 0 : 1;
            if (dose.isPresent() && i >= floodFrom() && i < floodTo()) {
                junk += flood(lane, dose.get(), quotas, i, random);
            }
        }
        return new Served(accepted, steps, refused, junk);
    }

    private int flood(ReplayLane lane, Dose dose, Quotas quotas, int i, SplittableRandom random) {
        int admitted = 0;
        for (int junk = 0; junk < dose.times(); junk++) {
            RememberedAnswer answer = dose.flood().next(requests.subList(0, i + 1), vocabulary, random);
            admitted += add(lane, answer, false, quotas, i) ? 1 : 0;
        }
        return admitted;
    }

    private boolean add(ReplayLane lane, RememberedAnswer answer, boolean honest, Quotas quotas, int at) {
        long nowMillis = Math.round(at * SECOND_MILLIS / requestsPerSecond);
        boolean admitted = quotas.admits(honest, answer.tokens().length, nowMillis);
        if (admitted) {
            lane.add(answer);
        }
        return admitted;
    }
}
