package io.tailrace.suffix.draft;

import io.tailrace.suffix.Occurrences;
import java.util.Arrays;

/**
 * Lets the voters of one place vote for the next token, and turns their votes into the mixer's inputs.
 *
 * <p>Voters are occurrences. Each votes for exactly one token at a place and, if that token is drafted, goes on to the
 * new place, where others may join; so one {@code next} link per occurrence is enough to hold every candidate's voters, and
 * nothing is copied.
 * Cost: one visit of each voter for each token it goes along, and a table look-up for each candidate and input in use.
 */
final class Ballot {
    private static final int GAPPED_FROM = SourceKind.SHARED_GAPPED.index() * Features.LEVELS;

    private static final int OWN = SourceKind.OWN.index();

    private final Occurrences voters;
    private final Candidates candidates;
    private final int[] totals = new int[Features.VOTES];
    private int[] next = new int[256];
    private int[] votes = new int[64 * Features.VOTES];
    private int longestMatch;
    private int latestOwn;

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

    /** Gives the voters found since {@code from} to a candidate, but for those it has already. */
    void join(int candidate, int from) {
        ensureLinks(voters.size());
        for (int voter = from; voter < voters.size(); voter++) {
            if (!hasVoter(candidate, voter)) {
                link(candidate, voter);
            }
        }
    }

    private boolean hasVoter(int candidate, int wanted) {
        for (int voter = candidates.firstVoter[candidate]; voter >= 0; voter = next[voter]) {
            if (voters.position(voter) == voters.position(wanted) && voters.text(voter) == voters.text(wanted)) {
                return true;
            }
        }
        return false;
    }

    private void ensureLinks(int size) {
        if (next.length < size) {
            next = Arrays.copyOf(next, Math.max(size, next.length * 2));
        }
    }

    /** Fills a place: its candidates, their inputs, its weight sets. {@code depth} tokens of the draft lead to it. */
    void vote(int place, int firstVoter, int depth) {
        candidates.first[place] = candidates.size;
        Arrays.fill(totals, 0);
        longestMatch = 0;
        latestOwn = Candidates.NO_POSITION;
        for (int voter = firstVoter; voter >= 0; ) {
            int following = next[voter];
            int token = voters.text(voter).token(voters.position(voter) + 1 + depth);
            if (token >= 0) {
                castVote(place, voter, token, voters.matchLength(voter) + depth);
            }
            voter = following;
        }
        candidates.end[place] = candidates.size;
        if (candidates.end[place] > candidates.first[place]) {
            describe(place, depth);
        }
    }

    private void castVote(int place, int voter, int token, int match) {
        candidates.end[place] = candidates.size;
        int candidate = candidates.find(place, token);
        if (candidate < 0) {
            candidate = candidates.add(place, token);
            clearVotes(candidate - candidates.first[place]);
        }
        link(candidate, voter);
        if (match > candidates.match[candidate]) {
            candidates.match[candidate] = match;
            candidates.bestVoter[candidate] = voter;
        }
        longestMatch = Math.max(longestMatch, match);
        if (voters.source(voter) == OWN) {
            candidates.latestOwn[candidate] = Math.max(candidates.latestOwn[candidate], voters.position(voter));
            latestOwn = Math.max(latestOwn, voters.position(voter));
        }
        int column = voters.source(voter) * Features.LEVELS + Features.level(match);
        votes[(candidate - candidates.first[place]) * Features.VOTES + column]++;
        totals[column]++;
    }

    private void clearVotes(int row) {
        if ((row + 1) * Features.VOTES > votes.length) {
            votes = Arrays.copyOf(votes, votes.length * 2);
        }
        Arrays.fill(votes, row * Features.VOTES, (row + 1) * Features.VOTES, 0);
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

    private void describe(int place, int depth) {
        int first = candidates.first[place];
        int count = candidates.end[place] - first;
        accumulate(totals, 0);
        int used = listFeatures(place);
        for (int row = 0; row < count; row++) {
            accumulate(votes, row * Features.VOTES);
            fillValues(place, first + row, row * Features.VOTES, used, depth);
        }
        boolean shared = total(SourceKind.OLDER) + total(SourceKind.NEWEST) + total(SourceKind.FRESH) > 0;
        candidates.lengthSet[place] = Features.lengthSet(longestMatch);
        candidates.crowdSet[place] = Features.crowdSet(count, total(SourceKind.OWN) > 0, shared);
    }

    /** A vote was noted at its highest level only; it counts at all levels below, too. */
    private void accumulate(int[] counts, int from) {
        for (int source = 0; source < Features.SOURCES; source++) {
            int base = from + source * Features.LEVELS;
            for (int level = Features.LEVELS - 2; level >= 0; level--) {
                counts[base + level] += counts[base + level + 1];
            }
        }
    }

    /** Lists the inputs in use at a place; returns how many of them are vote shares. */
    private int listFeatures(int place) {
        int from = place * Features.COUNT;
        int used = 0;
        for (int column = 0; column < Features.VOTES; column++) {
            if (totals[column] > 0) {
                candidates.features[from + used++] = column;
            }
        }
        for (int scalar = 0; scalar < Features.SCALARS; scalar++) {
            candidates.features[from + used + scalar] = Features.VOTES + scalar;
        }
        candidates.featureCount[place] = used + Features.SCALARS;
        return used;
    }

    private void fillValues(int place, int candidate, int row, int used, int depth) {
        int from = place * Features.COUNT;
        int to = candidate * Features.COUNT;
        float[] values = candidates.values;
        for (int i = 0; i < used; i++) {
            int column = candidates.features[from + i];
            values[to + i] = Features.logOdds(votes[row + column], totals[column]);
        }
        int support = 0;
        for (int column = 0; column < GAPPED_FROM; column += Features.LEVELS) {
            support += votes[row + column];
        }
        int own = votes[row];
        int match = candidates.match[candidate];
        int scalars = to + used - Features.VOTES;
        values[scalars + Features.SUPPORT] = Features.logOnePlus(support);
        values[scalars + Features.AGREEMENT] = own > 0 && support > own ? 1 : 0;
        values[scalars + Features.BIAS] = 1;
        values[scalars + Features.MATCH] = Features.logOnePlus(match) - 1.5f;
        values[scalars + Features.DEPTH] = depth * 0.1f;
        values[scalars + Features.LONGEST] = match == longestMatch ? 1 : 0;
        values[scalars + Features.LATEST] = own > 0 && candidates.latestOwn[candidate] == latestOwn ? 1 : 0;
    }

    private int total(SourceKind source) {
        return totals[source.index() * Features.LEVELS];
    }
}
