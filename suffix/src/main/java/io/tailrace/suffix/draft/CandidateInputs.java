package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneVocabulary;
import java.util.Set;

/**
 * Fills in the inputs of candidates that are no shares of votes: what the votes say at a glance, whether and where the request's context has
 * the candidate's token, and what the lane says of that token. Cost: two look-ups a candidate.
 */
final class CandidateInputs {
    private static final int SCALARS = Features.SCALARS;

    private final Candidates candidates;
    private final ContextPlaces places;
    private final boolean popularTokens;
    private final boolean tokenInputs;
    private LaneVocabulary vocabulary = LaneVocabulary.EMPTY;
    /** What the lane says of what comes after the place's last token. */
    private int following;

    CandidateInputs(Candidates candidates, ContextPlaces places, Set<DraftPart> parts) {
        this.candidates = candidates;
        this.places = places;
        this.popularTokens = parts.contains(DraftPart.POPULAR);
        this.tokenInputs = parts.contains(DraftPart.TOKEN);
    }

    /** What the lane says from now on. */
    void open(LaneVocabulary laneVocabulary) {
        vocabulary = laneVocabulary;
    }

    /** Adds the lane's popular tokens to a place, those that nobody names. */
    void addPopular(int place) {
        for (int rank = 0; popularTokens && rank < vocabulary.popularTokens(); rank++) {
            candidates.findOrAdd(place, vocabulary.popularToken(rank));
        }
    }

    /** Describes all candidates of a place, which comes after the token {@code previous}. */
    void describe(int place, int previous) {
        following = vocabulary.following(previous);
        boolean popular = popularTokens && place == 0 && vocabulary.popularTokens() > 0;
        float depth = Features.depth(candidates.depth[place]);
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            float[] scalars = candidates.scalars;
            int at = candidate * SCALARS;
            scalars[at + Features.BIAS] = 1;
            scalars[at + Features.DEPTH] = depth;
            int own = candidates.ownVotes(candidate);
            int shared = candidates.sharedVotes(candidate);
            ofVotes(place, candidate, own, shared, scalars, at);
            if (tokenInputs) {
                ofToken(candidate, own > 0, shared > 0, popular, scalars, at);
            }
        }
    }

    private void ofVotes(int place, int candidate, int own, int shared, float[] scalars, int at) {
        int match = candidates.match[candidate];
        scalars[at + Features.SUPPORT] = Features.logOnePlus(own + shared);
        scalars[at + Features.AGREEMENT] = own > 0 && shared > 0 ? 1 : 0;
        scalars[at + Features.MATCH] = Features.match(match);
        scalars[at + Features.LONGEST] = match == candidates.longest[place] ? 1 : 0;
        scalars[at + Features.LATEST] = own > 0 && candidates.latestOwn[candidate] == candidates.latest[place] ? 1 : 0;
        scalars[at + Features.UNVOTED] = candidates.firstVoter[candidate] < 0 ? 1 : 0;
    }

    private void ofToken(int candidate, boolean own, boolean shared, boolean popular, float[] scalars, int at) {
        int token = candidates.token[candidate];
        int classes = vocabulary.classes(token);
        int latest = places.latest(token);
        boolean here = latest != ContextPlaces.NONE;
        float rarity = vocabulary.rarity(classes);
        scalars[at + Features.RARITY_HERE] = here ? rarity : 0;
        scalars[at + Features.RARITY_ELSEWHERE] = here ? 0 : rarity;
        scalars[at + Features.COPY_RATE] = here
                ? vocabulary.copiedHere(classes) + vocabulary.copiedHere(following)
                : vocabulary.copiedElsewhere(classes) + vocabulary.copiedElsewhere(following);
        scalars[at + Features.IN_ANSWER] = here && places.isAnswer(latest) ? 1 : 0;
        scalars[at + Features.RARITY_OWN] = own ? rarity : 0;
        scalars[at + Features.COUNT_HERE] = here ? Features.countHere(places.count(latest)) : 0;
        scalars[at + Features.NEAR_HERE] = here && places.isNear(latest) ? 1 : 0;
        scalars[at + Features.POPULARITY] = popular ? vocabulary.popularity(classes) : 0;
        candidates.tokenSet[candidate] =
                Features.tokenSet(here, own, shared, candidates.similarVotes(candidate) > 0, rarity);
    }
}
