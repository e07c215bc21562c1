package io.tailrace.suffix.draft;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import java.util.Arrays;

/**
 * What one draft found nearest in each part of the lane, so that the next need not search for it again.
 *
 * <p>The next draft's gapped voters are the occurrences nearest to the context without its last token: to the context of this
 * draft and the draft tokens that were accepted. One that matches longer than those tokens was an occurrence of this draft's
 * context, and went on with them. So where what was found goes on with them often enough, or where nothing else can match
 * long enough to count, the answer is at hand, and it is the one that a search would give: same occurrences, same order.
 *
 * <p>Not answered are parts whose text has changed, matches of the most tokens that are compared (their order changes), places where
 * something of the same length may have been left out, and contexts that ended with a token of a prompt's tail. Memory: 16 occurrences a part.
 */
final class NearestFound {
    private static final int KEPT = VoterSearch.SHARED_MAX;

    private Object[] contents = new Object[8];
    private Occurrences[] parts = new Occurrences[8];
    private int length;

    /** Forgets everything. */
    void clear() {
        Arrays.fill(contents, null);
    }

    /** Forgets everything, and lets go of the texts. */
    void release() {
        clear();
        for (Occurrences part : parts) {
            if (part != null) {
                part.release();
            }
        }
    }

    /** Forgets everything; what comes is found at the end of a context of this length. */
    void open(int contextLength) {
        clear();
        length = contextLength;
    }

    /** Keeps what was found in a part, {@code found} from {@code from} on. */
    void keep(int part, Object content, Occurrences found, int from) {
        while (part >= contents.length) {
            contents = Arrays.copyOf(contents, 2 * part);
            parts = Arrays.copyOf(parts, 2 * part);
        }
        contents[part] = content;
        if (parts[part] == null) {
            parts[part] = new Occurrences();
        }
        parts[part].clear();
        parts[part].addAll(found, from);
    }

    /**
     * Adds the gapped voters' occurrences: those of at least {@link VoterSearch#SHARED_GAPPED_MATCH_MIN} tokens that are nearest to the end of
     * {@code context[0..gappedLength)}, a few shorter ones perhaps; false, and nothing added, if a search must say.
     */
    boolean goesOn(int part, OccurrenceIndex index, int[] context, int gappedLength, int source, Occurrences into) {
        Object content = index.content();
        if (part >= contents.length || content == null || contents[part] != content || gappedLength < length) {
            return false;
        }
        Occurrences known = parts[part];
        int gone = gappedLength - length;
        if (gone > 0 && index.hides(context[length - 1])) {
            return false;
        }
        if (gone > 0 && known.size() > 0 && known.matchLength(0) + gone >= OccurrenceIndex.MATCH_LENGTH_MAX) {
            return false;
        }
        int unknown = gone + (known.size() < KEPT ? 0 : known.matchLength(KEPT - 1));
        int from = into.size();
        for (int i = 0; i < known.size() && into.size() - from < VoterSearch.SHARED_GAPPED_MAX; i++) {
            int match = known.matchLength(i) + gone;
            if (gone > 0 && match <= unknown) {
                break;
            }
            if (wentOn(known, i, context, gone)) {
                into.add(known.text(i), known.position(i) + gone, match, source);
            }
        }
        boolean whole = gone == 0
                || into.size() - from == VoterSearch.SHARED_GAPPED_MAX
                || unknown < VoterSearch.SHARED_GAPPED_MATCH_MIN;
        if (!whole) {
            into.truncate(from);
        }
        return whole;
    }

    /** Whether an occurrence's text goes on with the context's tokens since, and further. */
    private boolean wentOn(Occurrences known, int occurrence, int[] context, int gone) {
        int position = known.position(occurrence);
        for (int i = 0; i < gone; i++) {
            if (known.text(occurrence).token(position + 1 + i) != context[length + i]) {
                return false;
            }
        }
        return gone == 0 || known.text(occurrence).token(position + 1 + gone) >= 0;
    }
}
