package io.tailrace.strategies;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;

/**
 * {@code sam-decoding}: SAM-Decoding (Hu et al., "SAM Decoding: Speculative Decoding via Suffix Automaton", arXiv 2411.10666).
 *
 * <p><b>Method.</b> Two suffix automata: a dynamic one of the request's prompt and output so far, a static one of a corpus,
 * here all finished responses (section 3.1). Both follow the context, so that their states stand for its longest suffix that
 * occurred before, of l_dyn and l_static tokens. The dynamic match wins if l_dyn >= l_static - l_bias; a winner shorter than
 * l_threshold is left to an auxiliary method (section 3.3). The draft is the text behind the state's min_endpos, the earliest
 * place of the match, as one line (section 3.2). The tree form goes from state to state instead: each node's children are its
 * {@code successorsMax} likeliest successors by their numbers of end positions, and the likeliest paths are drafted.
 *
 * <p><b>Here</b> the static automaton's state is the set of places of the longest match, found in the lane's indexes; the
 * dynamic one's is found through chains of equal tokens. The earliest place is that in the oldest part of the lane, and there
 * the first in its text. Drafts end with the document (the published text runs on behind an end token), and matches longer
 * than {@value OccurrenceIndex#MATCH_LENGTH_MAX} tokens count as that long.
 *
 * <p><b>Cost.</b> One search in each part of the lane, and a visit of each place of the last token in the context. Nothing is
 * allocated once the arrays have grown to their working size.
 */
public final class SamDecodingDrafter extends PatternDrafter {
    private static final int LENGTH_MAX = OccurrenceIndex.MATCH_LENGTH_MAX;
    /** So many of the longest matches are asked for first: if they are not all equally long, they are all there are. */
    private static final int LONGEST_ASKED = 32;

    private final SamDecoding.Settings settings;
    private final PatternPlaces dynamicPlaces = new PatternPlaces();
    private final PatternPlaces staticPlaces = new PatternPlaces();
    private final SuccessorTree dynamicTree;
    private final SuccessorTree staticTree;
    private final DraftTree tree = new DraftTree();

    public SamDecodingDrafter(SamDecoding.Settings settings) {
        this.settings = settings;
        this.dynamicTree = new SuccessorTree(dynamicPlaces, settings.successorsMax());
        this.staticTree = new SuccessorTree(staticPlaces, settings.successorsMax());
    }

    @Override
    Draft grow(LaneIndex index, int budget) {
        tree.clear();
        if (budget > 0 && own.length() > 0) {
            int dynamicLength = dynamicMatch();
            int staticLength = staticMatch(index);
            if (dynamicLength >= staticLength - settings.lengthBias()) {
                grow(dynamicPlaces, dynamicTree, dynamicLength, dynamicLength, budget);
            } else {
                grow(staticPlaces, staticTree, staticLength, staticLength - settings.lengthBias(), budget);
            }
        }
        return tree;
    }

    private int dynamicMatch() {
        dynamicPlaces.found().clear();
        own.find(LENGTH_MAX, SourceKind.OWN.index(), dynamicPlaces.found());
        dynamicPlaces.sort(LENGTH_MAX);
        return dynamicPlaces.longest(LENGTH_MAX);
    }

    private int staticMatch(LaneIndex index) {
        find(index, LONGEST_ASKED);
        int longest = staticPlaces.longest(LENGTH_MAX);
        if (longest > 0 && staticPlaces.count(longest) >= LONGEST_ASKED) {
            find(index, Integer.MAX_VALUE);
        }
        return longest;
    }

    private void find(LaneIndex index, int countMax) {
        staticPlaces.found().clear();
        LanePatterns.find(index, own.tokens(), own.length(), countMax, staticPlaces.found());
        staticPlaces.sort(LENGTH_MAX);
    }

    private void grow(PatternPlaces places, SuccessorTree successors, int length, int judgedLength, int budget) {
        if (length == 0 || judgedLength < settings.lengthThreshold()) {
            return;
        }
        int tokensMax = settings.tokensMax(length, budget);
        if (settings.tree()) {
            successors.grow(length, tokensMax, tree);
        } else {
            copy(places, places.earliest(length), length, tokensMax);
        }
    }

    private void copy(PatternPlaces places, int place, int length, int tokensMax) {
        for (int i = 0; i < tokensMax && places.token(place, i + 1) >= 0; i++) {
            tree.add(places.token(place, i + 1), i - 1, 1, places.source(place), length);
        }
    }
}
