package io.tailrace.lab.experiment;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayProtocol;
import io.tailrace.lab.replay.ReplayProtocol.Counting;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import io.tailrace.lab.replay.ReplayProtocol.Sources;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.DraftPart;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The questions, each as the replays that answer it.
 *
 * @param streams what is replayed, one a workload
 * @param weights of each stream's mixer, trained without it
 * @param strategies who drafts
 * @param budgets draft tokens a verification
 */
public record Trials(
        List<ReplayStream> streams, List<float[]> weights, List<StrategyChoice> strategies, List<Integer> budgets) {
    static final int[] WORKERS = {1, 2, 4, 8};
    static final int[] FLUSHES = {1, 8, 64, 512};
    static final int[] INDEX_SIZES = {256, 512, 1024, 2048, 4096};
    private static final ReplayProtocol ONLINE = ReplayProtocol.online();
    /** The index stays as it is. */
    private static final int NEVER = Integer.MAX_VALUE;

    public Trials {
        streams = List.copyOf(streams);
        strategies = List.copyOf(strategies);
        budgets = List.copyOf(budgets);
    }

    /**
     * What does each strategy give?
     *
     * @param labels the column headings of strategies
     */
    public List<Trial> strategyTrials(Function<StrategyChoice, String> labels) {
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            addAll(trials, labels.apply(strategy), strategy, ONLINE);
        }
        return trials;
    }

    /** What do the request's own context and the shared index give, alone and together? */
    public List<Trial> sources() {
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            addAll(trials, "own context only", strategy, ONLINE.from(Sources.OWN));
            if (strategy.strategy().parameters().contains(DraftPart.OWN.label())) {
                addAll(trials, "shared only", without(strategy, DraftPart.OWN), ONLINE);
            }
            addAll(trials, "both", strategy, ONLINE);
        }
        return trials;
    }

    /**
     * What does the default drafter give without some of its parts?
     *
     * @param variant the column's heading
     * @param parts what is left out
     * @param protocol what is remembered, and when
     */
    public List<Trial> adaptive(String variant, Set<DraftPart> parts, ReplayProtocol protocol) {
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            StrategyChoice less = strategy;
            for (DraftPart part : parts) {
                less = without(less, part);
            }
            addAll(trials, variant, less, protocol);
        }
        return trials;
    }

    private static StrategyChoice without(StrategyChoice strategy, DraftPart part) {
        return StrategyChoice.parse(strategy.text() + off(part));
    }

    /** What a strategy's text ends with, if a part is left out. */
    static String off(DraftPart part) {
        return ":" + part.label() + "=false";
    }

    /** What does it cost if finished responses enter the index late? */
    public List<Trial> freshness() {
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            for (int flush : FLUSHES) {
                addAll(trials, "every " + flush, strategy, ONLINE.delayed(flush, 0));
            }
        }
        return trials;
    }

    /** What does it cost if each worker knows its own responses only? */
    public List<Trial> silos() {
        List<Trial> trials = new ArrayList<>();
        for (StrategyChoice strategy : strategies) {
            for (int workers : WORKERS) {
                if (workers > 1) {
                    addAll(trials, workers + " shared", strategy, ONLINE.dealt(workers, Sharing.SHARED));
                    addAll(trials, workers + " silos", strategy, ONLINE.dealt(workers, Sharing.SILO));
                } else {
                    addAll(trials, "1", strategy, ONLINE);
                }
            }
        }
        return trials;
    }

    /**
     * What does a larger index give? The last requests of each stream are drafted from those before them, so many of them,
     * and from nothing that finishes meanwhile.
     *
     * @param evaluated how many requests at each stream's end
     */
    public List<Trial> indexSizes(int evaluated) {
        List<Trial> trials = new ArrayList<>();
        for (int size : INDEX_SIZES) {
            addFrozen(
                    trials,
                    Integer.toString(size),
                    evaluated,
                    size + 1,
                    (before, stream) -> before.subList(before.size() - size, before.size()));
        }
        addFrozen(trials, "all", evaluated, INDEX_SIZES[0], (before, stream) -> before);
        addFrozen(trials, "all workloads", evaluated, INDEX_SIZES[0], this::withOthers);
        return trials;
    }

    /** Also the responses of all other streams, older than the stream's own. */
    private List<RememberedAnswer> withOthers(List<RememberedAnswer> own, int stream) {
        List<RememberedAnswer> all = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            if (i != stream) {
                all.addAll(answers(streams.get(i).cases()));
            }
        }
        all.addAll(own);
        return all;
    }

    /** Adds the streams that have so many requests before the evaluated ones; {@code index} says which responses are held. */
    private void addFrozen(
            List<Trial> trials,
            String variant,
            int evaluated,
            int beforeMin,
            BiFunction<List<RememberedAnswer>, Integer, List<RememberedAnswer>> index) {
        for (int i = 0; i < streams.size(); i++) {
            List<ReplayCase> cases = streams.get(i).cases();
            int cut = cases.size() - evaluated;
            if (cut >= beforeMin) {
                List<RememberedAnswer> held = index.apply(answers(cases.subList(0, cut)), i);
                ReplayProtocol frozen =
                        ONLINE.counting(Counting.ALL).delayed(NEVER, 0).warmed(held);
                addAll(
                        trials,
                        variant,
                        i,
                        new ReplayStream(streams.get(i).name(), cases.subList(cut, cases.size())),
                        frozen);
            }
        }
    }

    private void addAll(List<Trial> trials, String variant, int number, ReplayStream stream, ReplayProtocol protocol) {
        for (StrategyChoice strategy : strategies) {
            for (int budget : budgets) {
                trials.add(new Trial(variant, new ReplayRun(stream, strategy, weights.get(number), budget, protocol)));
            }
        }
    }

    private void addAll(List<Trial> trials, String variant, StrategyChoice strategy, ReplayProtocol protocol) {
        for (int i = 0; i < streams.size(); i++) {
            for (int budget : budgets) {
                trials.add(
                        new Trial(variant, new ReplayRun(streams.get(i), strategy, weights.get(i), budget, protocol)));
            }
        }
    }

    static List<RememberedAnswer> answers(List<ReplayCase> cases) {
        return cases.stream().map(ReplayCase::answer).toList();
    }
}
