package io.tailrace.lab.bench.draft;

import com.sun.management.ThreadMXBean;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PatternIndex;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.TokenText;
import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Decodes the held-back requests once with one drafter, in this thread, and notes for every step how long {@code draft} and
 * {@code verified} took. Nothing is inserted: the lane stays as it is, while the drafter learns.
 */
final class DraftPass {
    /** Requests of {@link #timeInTurn}. */
    static final int AT_ONCE = 64;

    /** Drafts of {@link #timeAtRandom}. */
    static final int RANDOM_PLACES = 4096;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<ReplayCase> requests;
    private final LaneIndex lane;
    private final int budget;
    private final AcceptedPath path = new AcceptedPath();
    private final Times drafts = new Times();
    private final Times firstDrafts = new Times();
    private final Times prepared = new Times();
    private final Times learned = new Times();
    private int steps;
    private long drafted;
    private long accepted;
    private long allocatedBytes;

    DraftPass(List<ReplayCase> requests, LaneIndex lane, int budget) {
        this.requests = requests;
        this.lane = lane;
        this.budget = budget;
    }

    /** Times every step, one request after the other. */
    DraftPass time(Drafter drafter) {
        int[] verified = new int[budget + 1];
        for (ReplayCase request : requests) {
            int begin = begin(drafter, request);
            for (int at = begin; at < request.response().length; ) {
                at += step(drafter, request.response(), at, at == begin, verified);
            }
        }
        return this;
    }

    /** Times every step of {@value #AT_ONCE} requests at once, a drafter and a step each in turn, as a full batch is drafted for. */
    DraftPass timeInTurn(Supplier<Drafter> drafters) {
        int[] verified = new int[budget + 1];
        List<Drafter> each = Stream.generate(drafters).limit(AT_ONCE).toList();
        for (int from = 0; from < requests.size(); from += AT_ONCE) {
            List<ReplayCase> batch = requests.subList(from, Math.min(from + AT_ONCE, requests.size()));
            int[] at = new int[batch.size()];
            for (int i = 0; i < at.length; i++) {
                at[i] = begin(each.get(i), batch.get(i));
            }
            boolean first = true;
            for (boolean more = true; more; first = false) {
                more = false;
                for (int i = 0; i < at.length; i++) {
                    int[] response = batch.get(i).response();
                    if (at[i] < response.length) {
                        at[i] += step(each.get(i), response, at[i], first, verified);
                        more = true;
                    }
                }
            }
        }
        return this;
    }

    /**
     * Times one draft at each of {@value #RANDOM_PLACES} places, each somewhere in the answer of some request. Neighbours do not follow one
     * another: a draft finds what it reads of the lane out of the caches, but for the similar answers looked up just before, and has nothing
     * to carry on from a draft before it. Nothing is learned.
     */
    DraftPass timeAtRandom(Drafter drafter, Random random) {
        for (int i = 0; i < RANDOM_PLACES; i++) {
            ReplayCase request = requests.get(random.nextInt(requests.size()));
            int begin = begin(drafter, request);
            int said = random.nextInt(request.response().length - begin);
            drafter.verified(Arrays.copyOfRange(request.response(), begin, begin + said), said);
            timedDraft(drafter);
        }
        return this;
    }

    /** Drafts, learns what was verified, notes both times; returns the tokens of the step. */
    private int step(Drafter drafter, int[] response, int at, boolean first, int[] verified) {
        Draft draft = timedDraft(drafter);
        if (first) {
            firstDrafts.add(drafts.last());
        }
        int took = path.walk(draft, response, at);
        accepted += took;
        int advance = Math.min(took + 1, response.length - at);
        System.arraycopy(response, at, verified, 0, advance);
        long verifying = System.nanoTime();
        drafter.verified(verified, advance);
        learned.add(System.nanoTime() - verifying);
        return advance;
    }

    private Draft timedDraft(Drafter drafter) {
        long start = System.nanoTime();
        Draft draft = drafter.draft(lane, budget);
        drafts.add(System.nanoTime() - start);
        drafted += draft.size();
        steps++;
        return draft;
    }

    /** Adds up what {@code draft} allocates, untimed: asking costs as much as a short draft. */
    DraftPass countAllocation(Drafter drafter) {
        int[] verified = new int[budget + 1];
        for (ReplayCase request : requests) {
            int[] response = request.response();
            for (int at = begin(drafter, request); at < response.length; ) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                Draft draft = drafter.draft(lane, budget);
                allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - before;
                int took = path.walk(draft, response, at);
                int advance = Math.min(took + 1, response.length - at);
                System.arraycopy(response, at, verified, 0, advance);
                drafter.verified(verified, advance);
                steps++;
                at += advance;
            }
        }
        return this;
    }

    int steps() {
        return steps;
    }

    double allocatedBytesPerDraft() {
        return perStep(allocatedBytes);
    }

    double acceptedPerStep() {
        return perStep(accepted);
    }

    double draftedPerStep() {
        return perStep(drafted);
    }

    private double perStep(long sum) {
        return steps == 0 ? 0 : (double) sum / steps;
    }

    Times drafts() {
        return drafts;
    }

    /** Of the first draft of each request alone. */
    Times firstDrafts() {
        return firstDrafts;
    }

    /** What can be done while an engine still reads the prompt: the look-up of similar requests. */
    Times prepared() {
        return prepared;
    }

    /** What {@code verified} took. */
    Times learned() {
        return learned;
    }

    private int begin(Drafter drafter, ReplayCase request) {
        boolean bare = request.prompt().length == 0;
        int[] context = bare ? request.response() : request.prompt();
        drafter.begin(context, bare ? 1 : context.length);
        long start = System.nanoTime();
        drafter.prepare(lane);
        prepared.add(System.nanoTime() - start);
        return bare ? 1 : 0;
    }

    /** Times of one thing, in the order in which they were noted. */
    static final class Times {
        private int[] nanos = new int[1 << 12];
        private int count;

        private void add(long time) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, count * 2);
            }
            nanos[count++] = (int) Math.min(Integer.MAX_VALUE, time);
        }

        private int last() {
            return nanos[count - 1];
        }

        int count() {
            return count;
        }

        /** Microseconds that the given share of them did not pass; 0 where none were noted. */
        double micros(double share) {
            int[] sorted = Arrays.copyOf(nanos, count);
            Arrays.sort(sorted);
            return count == 0 ? 0 : sorted[(int) Math.min(count - 1, Math.ceil(share * count))] / 1e3;
        }

        double microsMean() {
            return Arrays.stream(nanos, 0, count).average().orElse(0) / 1e3;
        }
    }

    /** Counts and times the searches of one index; reading the clock twice is part of the time. */
    static final class TimedIndex implements PatternIndex {
        private final OccurrenceIndex index;
        private final Searches searches;

        /** What the searches of one lane add up to. */
        static final class Searches {
            long count;
            long nanos;
            long found;
        }

        private TimedIndex(OccurrenceIndex index, Searches searches) {
            this.index = index;
            this.searches = searches;
        }

        static LaneIndex around(LaneIndex lane, Searches searches) {
            List<OccurrenceIndex> older = new ArrayList<>();
            lane.older().forEach(index -> older.add(new TimedIndex(index, searches)));
            return new LaneIndex(
                    older, around(lane.newest(), searches), around(lane.fresh(), searches), lane.vocabulary());
        }

        private static OccurrenceIndex around(OccurrenceIndex index, Searches searches) {
            return index == null ? null : new TimedIndex(index, searches);
        }

        @Override
        public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
            long start = System.nanoTime();
            int found = index.nearest(context, length, countMax, source, into);
            searches.nanos += System.nanoTime() - start;
            searches.count++;
            searches.found += found;
            return found;
        }

        @Override
        public Object content() {
            return index.content();
        }

        @Override
        public boolean hides(int token) {
            return index.hides(token);
        }

        @Override
        public void count(TokenCounts counts) {
            index.count(counts);
        }

        @Override
        public boolean holds(TokenText text) {
            return index.holds(text);
        }

        @Override
        public List<? extends SignedAnswers> signed() {
            return index.signed();
        }

        @Override
        public Object lasting() {
            return index.lasting();
        }

        @Override
        public void occurrences(int[] context, int length, int countMax, int source, Occurrences into) {
            int before = into.size();
            long start = System.nanoTime();
            patterns().occurrences(context, length, countMax, source, into);
            searches.nanos += System.nanoTime() - start;
            searches.count++;
            searches.found += into.size() - before;
        }

        @Override
        public long endings(int[] context, int length, int patternLength) {
            return patterns().endings(context, length, patternLength);
        }

        private PatternIndex patterns() {
            return (PatternIndex) index;
        }
    }
}
