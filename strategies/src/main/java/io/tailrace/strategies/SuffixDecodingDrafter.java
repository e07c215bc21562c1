package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;

/**
 * {@code suffix-decoding}: SuffixDecoding (Oliaro et al., "SuffixDecoding: Extreme Speculative Decoding for Emerging AI
 * Applications", arXiv 2411.04975), as Arctic Inference publishes it.
 *
 * <p><b>Method.</b> Two suffix trees with counts: one of the request's prompt and output so far, one of all finished
 * responses (section 4.1). The context's last p tokens are a pattern, for every p that occurs. Below a pattern's node a
 * speculation tree grows greedily: a node's probability D(N) is its parent's times COUNT(N) / COUNT(parent), the likeliest
 * node is added next, until there are MAX_SPEC(p) = alpha p nodes or none is likely enough (sections 4.2, 4.3). SCORE is the
 * sum of all D(N); the best score over all patterns of both trees wins, the longer pattern and the request's own tree on
 * ties (section 4.2). The linear form follows the likeliest child only.
 *
 * <p><b>As published, in detail.</b> COUNT of a node counts the strings that end there too, and in the request's own tree the
 * context's end is one of them: what followed a pattern once has probability 1/2 there, 1 in the shared tree. Trees are
 * {@code depthMax} deep, so a pattern of p tokens is followed at most {@code depthMax} - p further; patterns are shorter
 * than that depth and than the context. Which of equally likely nodes comes first is left to a heap, see {@link PathQueue};
 * drafting the one found first (longest match, then freshest source) accepts 1 to 4 % more and is a setting.
 *
 * <p><b>Here</b> no tree is built. The places of a pattern stand together in the order of a segment, those of a longer pattern
 * among those of a shorter one; see {@link ContinuationTrie}. So the method runs on the same files and fresh generations as the
 * default, with exact counts, equal documents counted with their multiplicity, and at eight bytes a token.
 *
 * <p><b>Cost.</b> The price is that each place of the last token is visited at every draft: microseconds where that is rare,
 * hundreds where a lane of a million tokens holds it 50,000 times; {@link SuffixDecoding.Settings#occurrencesMax} bounds it.
 * Nothing is allocated once the arrays have grown to their working size.
 */
public final class SuffixDecodingDrafter extends PatternDrafter {
    private final SuffixDecoding.Settings settings;
    private final PatternPlaces places = new PatternPlaces();
    private final ContinuationTrie trie = new ContinuationTrie(places);
    private final PatternGrowth growth;
    private DraftTree best = new DraftTree();
    private DraftTree next = new DraftTree();
    private float bestScore;

    public SuffixDecodingDrafter(SuffixDecoding.Settings settings) {
        this.settings = settings;
        this.growth = new PatternGrowth(settings, places, trie);
    }

    @Override
    Draft grow(LaneIndex index, int budget) {
        best.clear();
        bestScore = 0;
        int patternMax = Math.min(settings.depthMax(), own.length()) - 1;
        if (budget > 0 && patternMax > 0) {
            draftFromOwn(patternMax, budget);
            draftFromLane(index, patternMax, budget);
        }
        return best;
    }

    private void draftFromOwn(int patternMax, int budget) {
        places.found().clear();
        own.find(patternMax, SourceKind.OWN.index(), places.found());
        tryPatterns(null, patternMax, budget);
    }

    private void draftFromLane(LaneIndex index, int patternMax, int budget) {
        if (bestScore >= budget) {
            return;
        }
        places.found().clear();
        LanePatterns.find(index, own.tokens(), own.length(), settings.occurrencesMax(), places.found());
        tryPatterns(index, patternMax, budget);
    }

    /**
     * Tries every pattern, longest first; a shorter one must score more than the best so far.
     *
     * @param index the lane; null: the request's own tree, in which the context's end is a string that ends with each pattern
     */
    private void tryPatterns(LaneIndex index, int patternMax, int budget) {
        places.sort(patternMax);
        trie.clear();
        boolean ownEnd = index == null;
        boolean endings = !ownEnd && endings(index, 1) > 0;
        for (int length = patternMax; length > 0 && bestScore < settings.tokensMax(length, budget); length--) {
            int count = places.count(length);
            if (count > 0) {
                trie.include(count);
                if (endings || !isCovered(length, patternMax, budget)) {
                    long ending = ownEnd ? 1 : endings ? endings(index, length) : 0;
                    tryPattern(length, trie.count(ContinuationTrie.ROOT) + ending, settings.tokensMax(length, budget));
                }
            }
        }
    }

    /** Whether a neighbouring length has the same places and can only give the same draft or a larger one. */
    private boolean isCovered(int length, int patternMax, int budget) {
        int tokensMax = settings.tokensMax(length, budget);
        boolean byLonger = length < patternMax
                && places.count(length + 1) == places.count(length)
                && settings.depthMax() - length - 1 >= settings.tokensMax(length + 1, budget);
        boolean byShorter = length > 1
                && places.count(length - 1) == places.count(length)
                && settings.tokensMax(length - 1, budget) == tokensMax;
        return byLonger || (byShorter && settings.depthMax() - length < tokensMax);
    }

    private void tryPattern(int length, long patternCount, int tokensMax) {
        if (growth.scoreMax(patternCount, tokensMax) <= bestScore) {
            return;
        }
        next.clear();
        float score = growth.grow(length, patternCount, tokensMax, next);
        if (score > bestScore) {
            DraftTree swapped = best;
            best = next;
            next = swapped;
            bestScore = score;
        }
    }

    private long endings(LaneIndex index, int patternLength) {
        return LanePatterns.endings(index, own.tokens(), own.length(), patternLength);
    }
}
