package io.tailrace.suffix.draft;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.context.ContextAutomaton;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.List;

/**
 * Finds who may vote: the occurrences nearest to the context's end in every source, and gapped ones, where the context
 * without its last token matches and the last token differs (an edit, another name): the text may go on alike.
 */
final class VoterSearch {
    static final int OWN_MAX = 8;
    static final int OWN_GAPPED_MAX = 3;
    static final int SHARED_MAX = 16;
    static final int SHARED_GAPPED_MAX = 3;
    static final int GAPPED_MATCH_MIN = 3;

    private final Occurrences gapped = new Occurrences();

    /** Adds all voters, source by source, in a fixed order. */
    void collect(ContextAutomaton own, LaneIndex index, Occurrences into) {
        own.occurrences(OWN_MAX, SourceKind.OWN.index(), into);
        List<? extends OccurrenceIndex> older = index.older();
        for (int i = 0; i < older.size(); i++) {
            nearest(older.get(i), own, SourceKind.OLDER, into);
        }
        nearest(index.newest(), own, SourceKind.NEWEST, into);
        nearest(index.fresh(), own, SourceKind.FRESH, into);
        for (int i = 0; i < older.size(); i++) {
            gapped(older.get(i), own, into);
        }
        gapped(index.newest(), own, into);
        gapped(index.fresh(), own, into);
        own.gappedOccurrences(1, GAPPED_MATCH_MIN, OWN_GAPPED_MAX, SourceKind.OWN_GAPPED.index(), into);
    }

    private static void nearest(OccurrenceIndex index, ContextAutomaton own, SourceKind kind, Occurrences into) {
        if (index != null) {
            index.nearest(own.tokens(), own.length(), SHARED_MAX, kind.index(), into);
        }
    }

    private void gapped(OccurrenceIndex index, ContextAutomaton own, Occurrences into) {
        int length = own.length() - 1;
        if (index == null || length < GAPPED_MATCH_MIN) {
            return;
        }
        int lastToken = own.tokens()[length];
        int source = SourceKind.SHARED_GAPPED.index();
        gapped.clear();
        index.nearest(own.tokens(), length, SHARED_GAPPED_MAX, source, gapped);
        for (int i = 0; i < gapped.size(); i++) {
            int position = gapped.position(i) + 1;
            int token = gapped.text(i).token(position);
            if (gapped.matchLength(i) >= GAPPED_MATCH_MIN && token >= 0 && token != lastToken) {
                into.add(gapped.text(i), position, gapped.matchLength(i), source);
            }
        }
    }
}
