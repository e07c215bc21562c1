package io.tailrace.client.follow.internal;

import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers that wait to be written, in order, by scope. Above a bound of all of them together, the scope that holds the most loses its oldest: one that
 * cannot be written takes no room from the others. Safe for any number of threads.
 */
final class WaitingAnswers {
    /** What an answer takes beside its tokens, told in tokens of 4 bytes: its entry, its prompt's signature, and which tokens are copied. */
    static final int ANSWER_TOKENS = 100;

    private final long tokensMax;
    private final Map<String, Waiting> scopes = new LinkedHashMap<>();
    private long tokens;
    private long dropped;

    /** Of one scope. */
    private static final class Waiting {
        private final Deque<Compaction.Input> answers = new ArrayDeque<>();
        private long tokens;
    }

    /**
     * Holds nothing yet.
     *
     * @param tokensMax of all scopes together; each answer counts {@value #ANSWER_TOKENS} more than it has
     */
    WaitingAnswers(long tokensMax) {
        this.tokensMax = tokensMax;
    }

    synchronized void add(String scope, Compaction.Input answer) {
        Waiting waiting = of(scope);
        waiting.answers.addLast(answer);
        count(waiting, weight(answer));
        keepBound();
    }

    /** An answer is given up that never waited. */
    synchronized void drop() {
        dropped++;
    }

    /** What waits, which from now on is the caller's. */
    synchronized Map<String, List<Compaction.Input>> take() {
        Map<String, List<Compaction.Input>> taken = new LinkedHashMap<>();
        scopes.forEach((scope, waiting) -> taken.put(scope, new ArrayList<>(waiting.answers)));
        scopes.clear();
        tokens = 0;
        return taken;
    }

    /** They could not be written: they wait again, before those that came meanwhile. */
    synchronized void putBack(String scope, List<Compaction.Input> answers) {
        Waiting waiting = of(scope);
        for (int i = answers.size() - 1; i >= 0; i--) {
            waiting.answers.addFirst(answers.get(i));
            count(waiting, weight(answers.get(i)));
        }
        keepBound();
    }

    synchronized long tokens() {
        return tokens;
    }

    /** Answers that were given up. */
    synchronized long dropped() {
        return dropped;
    }

    private Waiting of(String scope) {
        return scopes.computeIfAbsent(scope, each -> new Waiting());
    }

    private void count(Waiting waiting, long more) {
        waiting.tokens += more;
        tokens += more;
    }

    private void keepBound() {
        while (tokens > tokensMax) {
            Waiting largest = scopes.values().stream()
                    .max(Comparator.comparingLong(waiting -> waiting.tokens))
                    .orElseThrow();
            count(largest, -weight(largest.answers.removeFirst()));
            dropped++;
        }
    }

    private static long weight(Compaction.Input input) {
        RememberedAnswer answer = input.answer();
        return (long) answer.promptTail().length + answer.tokens().length + ANSWER_TOKENS;
    }
}
