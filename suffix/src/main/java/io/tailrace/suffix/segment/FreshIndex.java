package io.tailrace.suffix.segment;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.TokenText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * In-memory index over the newest generations of one lane, searchable the moment one is added. One thread adds; any
 * number search meanwhile.
 *
 * <p>Idea: a log-structured merge in memory. Each generation becomes a small sorted run of its own and is published; then
 * neighbouring runs are joined while the older is less than {@value #GROWTH} times the newer, so that n tokens stand in
 * O(log n) runs and each token is sorted O(log n) times. Readers see one volatile immutable array of runs.
 *
 * <p>Memory: 8 bytes a token and 28 a generation, twice that while runs are joined; 160 more for the signature of its prompt, and where requests
 * look for similar ones 256 to 900 for that one's postings.
 */
public final class FreshIndex implements PatternIndex {
    private static final int GROWTH = 3;

    /** Where the limit is passed, so much of it is freed, so that not every addition has to free a little. */
    private static final int FREED_SHARE = 8;

    private static final FreshRun[] NO_RUNS = {};

    private final int tokensMax;
    private volatile FreshRun[] runs = NO_RUNS;
    /** Another one whenever an answer has left. */
    private volatile Object lasting = new Object();

    /**
     * An empty index.
     *
     * @param tokensMax oldest generations are dropped above it
     */
    public FreshIndex(int tokensMax) {
        if (tokensMax < 0) {
            throw new IllegalArgumentException("tokensMax must be >= 0, got " + tokensMax);
        }
        this.tokensMax = tokensMax;
    }

    /**
     * An unlimited index that holds these generations as one run: sorted once, searched once.
     *
     * @param generations token ids of each
     * @return the index; to be searched by any thread
     */
    public static FreshIndex of(List<int[]> generations) {
        return ofAnswers(generations.stream().map(RememberedAnswer::of).toList());
    }

    /**
     * An unlimited index that holds these answers, with the tails of their prompts, as one run: sorted once, searched once.
     *
     * @param answers what it holds
     * @return the index; to be searched by any thread
     */
    public static FreshIndex ofAnswers(List<RememberedAnswer> answers) {
        FreshIndex index = new FreshIndex(Integer.MAX_VALUE);
        if (!answers.isEmpty()) {
            index.runs = new FreshRun[] {FreshRun.of(answers, 0)};
        }
        return index;
    }

    /**
     * Adds a generation; it is found from now on.
     *
     * @param tokens token ids
     * @param completedAtMillis when it was completed, epoch milliseconds
     */
    public void add(int[] tokens, long completedAtMillis) {
        add(RememberedAnswer.of(tokens), completedAtMillis);
    }

    /**
     * Adds an answer with its prompt's tail; it is found from now on.
     *
     * @param answer what is added
     * @param completedAtMillis when it was completed, epoch milliseconds
     */
    public synchronized void add(RememberedAnswer answer, long completedAtMillis) {
        int tokens = answer.promptTail().length + answer.tokens().length;
        if (tokens == 0 || tokens > tokensMax) {
            return;
        }
        FreshRun[] added = Arrays.copyOf(runs, runs.length + 1);
        added[runs.length] = FreshRun.of(answer, completedAtMillis);
        runs = added;
        dropOldest();
        joinNeighbours();
    }

    /**
     * Drops the generations completed at or before this time: a snapshot holds them now.
     *
     * @param millis epoch milliseconds
     */
    public synchronized void dropCompletedUntil(long millis) {
        FreshRun[] kept = new FreshRun[runs.length];
        int count = 0;
        boolean left = false;
        for (FreshRun run : runs) {
            FreshRun rest = run.without(millis, 0);
            left |= rest != run;
            if (rest != null) {
                kept[count++] = rest;
            }
        }
        runs = Arrays.copyOf(kept, count);
        lasting = left ? new Object() : lasting;
        joinNeighbours();
    }

    /**
     * Whatever is said to be completed later counts as completed then: a clock that was ahead has been put right.
     *
     * @param millis epoch milliseconds
     */
    public synchronized void capCompleted(long millis) {
        for (FreshRun run : runs) {
            run.capTimes(millis);
        }
    }

    /**
     * Copies of the answers held, in the order they were added.
     *
     * @return each with its prompt's tail
     */
    public List<RememberedAnswer> answers() {
        List<RememberedAnswer> answers = new ArrayList<>();
        for (FreshRun run : runs) {
            run.copyInto(answers);
        }
        return answers;
    }

    /**
     * Tokens of all generations held, and of their prompts' tails.
     *
     * @return how many
     */
    public long tokens() {
        return tokens(runs);
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        FreshRun[] view = runs;
        int from = into.size();
        for (int i = view.length - 1; i >= 0; i--) {
            int middle = into.size();
            view[i].nearest(context, length, countMax, source, into);
            into.mergeLongest(from, middle, countMax);
        }
        return into.size() - from;
    }

    /** The runs: another array with each change. */
    @Override
    public Object content() {
        return runs;
    }

    @Override
    public List<? extends SignedAnswers> signed() {
        return Arrays.stream(runs).filter(FreshRun::isSigned).toList();
    }

    @Override
    public Object lasting() {
        return lasting;
    }

    @Override
    public boolean hides(int token) {
        for (FreshRun run : runs) {
            if (run.hides(token)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean holds(TokenText text) {
        for (FreshRun run : runs) {
            if (run == text) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void count(TokenCounts counts) {
        for (FreshRun run : runs) {
            run.count(counts);
        }
    }

    @Override
    public void occurrences(int[] context, int length, int countMax, int source, Occurrences into) {
        FreshRun[] view = runs;
        for (int i = view.length - 1; i >= 0; i--) {
            view[i].nearest(context, length, countMax, source, into);
        }
    }

    @Override
    public long endings(int[] context, int length, int patternLength) {
        long endings = 0;
        for (FreshRun run : runs) {
            endings += run.endings(context, length, patternLength);
        }
        return endings;
    }

    private void dropOldest() {
        long tokens = tokens();
        if (tokens <= tokensMax) {
            return;
        }
        long excess = tokens - (tokensMax - tokensMax / FREED_SHARE);
        int dropped = 0;
        FreshRun[] view = runs;
        while (dropped < view.length - 1 && view[dropped].tokens() <= excess) {
            excess -= view[dropped].tokens();
            dropped++;
        }
        FreshRun[] kept = Arrays.copyOfRange(view, dropped, view.length);
        int documents = 0;
        while (excess > 0 && documents < kept[0].documents() && kept.length > 1) {
            excess -= kept[0].documentTokens(documents);
            documents++;
        }
        FreshRun rest = kept[0].without(Long.MIN_VALUE, documents);
        if (rest == null) {
            kept = Arrays.copyOfRange(kept, 1, kept.length);
        } else {
            kept[0] = rest;
        }
        runs = kept;
        lasting = new Object();
    }

    private void joinNeighbours() {
        FreshRun[] view = runs;
        int kept = view.length - 1;
        long joinedTokens = kept >= 0 ? view[kept].tokens() : 0;
        while (kept > 0 && view[kept - 1].tokens() < GROWTH * joinedTokens) {
            kept--;
            joinedTokens += view[kept].tokens();
        }
        if (kept < view.length - 1) {
            FreshRun[] joined = Arrays.copyOf(view, kept + 1);
            joined[kept] = FreshRun.join(view, kept, view.length);
            runs = joined;
        }
    }

    private static long tokens(FreshRun[] runs) {
        long tokens = 0;
        for (FreshRun run : runs) {
            tokens += run.tokens();
        }
        return tokens;
    }
}
