package io.tailrace.suffix.draft;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * Lets the voters of one place vote for the next token.
 *
 * <p>Voters are occurrences. Each votes for exactly one token at a place and, if that token is drafted, goes on to the
 * new place, where others may join; so one {@code next} link per occurrence is enough to hold every candidate's voters, and
 * nothing is copied. Cost: one visit of each voter for each token it goes along.
 */
final class Ballot {
    private static final long FULL = Features.VOTES_MAX;

    private static final int OWN = SourceKind.OWN.index();
    private static final int SAID = SourceKind.SAID.index();
    private static final int ALIGNED = SourceKind.ALIGNED.index();

    private final Occurrences voters;
    private final Candidates candidates;
    private int[] next = new int[256];

    Ballot(Occurrences voters, Candidates candidates) {
        this.voters = voters;
        this.candidates = candidates;
    }

    /** Links all voters in their order; returns the first, or -1. */
    int electorate() {
        int size = voters.size();
        ensureLinks(size);
        for (int voter = 0; voter < size; voter++) {
            next[voter] = voter + 1 < size ? voter + 1 : -1;
        }
        return size == 0 ? -1 : 0;
    }

    /** Gives the voters found since {@code from}, no two of them the same place, to a candidate, but for those it has already. */
    void join(int candidate, int from) {
        ensureLinks(voters.size());
        long known = known(candidate, from);
        for (int voter = from; voter < voters.size(); voter++) {
            if ((known & 1L << (voter - from)) == 0) {
                link(candidate, voter);
            }
        }
    }

    /** A bit for each voter found since {@code from}, of which there are few: a candidate has it already. */
    private long known(int candidate, int from) {
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        for (int joiner = from; joiner < voters.size(); joiner++) {
            low = Math.min(low, voters.position(joiner));
            high = Math.max(high, voters.position(joiner));
        }
        long known = 0;
        for (int voter = candidates.firstVoter[candidate]; voter >= 0 && low <= high; voter = next[voter]) {
            if (Integer.compareUnsigned(voters.position(voter) - low, high - low) <= 0) {
                known |= same(voter, from);
            }
        }
        return known;
    }

    private long same(int voter, int from) {
        long same = 0;
        for (int joiner = from; joiner < voters.size(); joiner++) {
            if (voters.position(joiner) == voters.position(voter) && voters.text(joiner) == voters.text(voter)) {
                same |= 1L << (joiner - from);
            }
        }
        return same;
    }

    private void ensureLinks(int size) {
        if (next.length < size) {
            next = Arrays.copyOf(next, Math.max(size, next.length * 2));
        }
    }

    /** Fills a place with its candidates. {@code depth} tokens of the draft lead to it. */
    void vote(int place, int firstVoter, int depth) {
        candidates.open(place, depth);
        for (int voter = firstVoter; voter >= 0; ) {
            int following = next[voter];
            int token = depth == 0 ? voters.next(voter) : token(voters.text(voter), voters.position(voter) + 1 + depth);
            if (token >= 0) {
                castVote(place, voter, token, depth);
            }
            voter = following;
        }
    }

    /** The kinds of text that may vote are too many for one call to find its way fast: those the request owns are told apart here. */
    private static int token(TokenText text, int position) {
        if (text instanceof ContextAutomaton own) {
            return own.token(position);
        }
        return text instanceof SimilarTexts similar ? similar.token(position) : text.token(position);
    }

    private void castVote(int place, int voter, int token, int depth) {
        int candidate = candidates.findOrAdd(place, token);
        link(candidate, voter);
        int source = voters.source(voter);
        int match = voters.matchLength(voter) + depth;
        if (source == ALIGNED) {
            castAligned(place, candidate, voter);
            return;
        }
        if (match > candidates.match[candidate]) {
            candidates.match[candidate] = match;
            candidates.bestVoter[candidate] = voter;
            candidates.longest[place] = Math.max(candidates.longest[place], match);
        }
        if (source == OWN || source == SAID) {
            int position = voters.position(voter);
            candidates.latestOwn[candidate] = Math.max(candidates.latestOwn[candidate], position);
            candidates.latest[place] = Math.max(candidates.latest[place], position);
        }
        count(candidate, place, source, Features.vote(match));
        if (voters.text(voter) instanceof SimilarTexts similar) {
            int rank = similar.rank(voters.position(voter) + 1 + depth);
            count(candidate, place, Features.RANKED, Features.rankVote(rank));
        }
    }

    /** Its credit stands in for a match length among its like, whatever the depth; it matches nothing. */
    private void castAligned(int place, int candidate, int voter) {
        if (candidates.bestVoter[candidate] < 0) {
            candidates.bestVoter[candidate] = voter;
        }
        count(candidate, place, ALIGNED, Features.vote(voters.matchLength(voter)));
    }

    private void count(int candidate, int place, int poll, long vote) {
        int total = place * Features.POLLS + poll;
        if ((candidates.totals[total] & FULL) != FULL) {
            candidates.totals[total] += vote;
            candidates.votes[candidate * Features.POLLS + poll] += vote;
        }
    }

    private void link(int candidate, int voter) {
        next[voter] = -1;
        if (candidates.firstVoter[candidate] < 0) {
            candidates.firstVoter[candidate] = voter;
        } else {
            next[candidates.lastVoter[candidate]] = voter;
        }
        candidates.lastVoter[candidate] = voter;
    }
}
