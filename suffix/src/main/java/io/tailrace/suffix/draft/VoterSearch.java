package io.tailrace.suffix.draft;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import java.util.List;
import java.util.Set;

/**
 * Finds who may vote.
 *
 * <ul>
 *   <li>At the context's end: the nearest occurrences in every source; the latest places of the last token in the own
 *       context; and gapped ones, where the context without its last token matches and the last token differs (an edit,
 *       another name): the text may go on alike. Last, places in the answers to the most similar requests.
 *   <li>At a drafted node: places in the own context and in those answers that match the path's end, whatever they matched before. The voters that
 *       came along agree with each other more often than the text does; these say what else may come.
 * </ul>
 */
final class VoterSearch {
    static final int OWN_MAX = 8;
    static final int OWN_RECENT_MAX = 24;
    static final int OWN_GAPPED_MAX = 6;
    static final int SHARED_MAX = 16;
    static final int SHARED_GAPPED_MAX = 8;
    static final int SHARED_GAPPED_MATCH_MIN = 1;
    static final int OWN_GAPPED_MATCH_MIN = 1;
    static final int RENEWED_OWN_MAX = 4;
    /** Places join at nodes at least this likely: fewer than one verification in so many gets there. */
    static final float RENEWED_PROBABILITY_MIN = 0.05f;

    private final ContextAutomaton own = new ContextAutomaton();
    private final ContextPlaces recent = new ContextPlaces(own);
    private final Alignments alignments = new Alignments();
    private final SimilarAnswers similar = new SimilarAnswers();
    private final Occurrences found = new Occurrences();
    /** What this draft found nearest in the shared sources, and what the one before it did. */
    private NearestFound now = new NearestFound();

    private NearestFound before = new NearestFound();
    /** The context's end, then a path of the draft. */
    private final int[] line = new int[OccurrenceIndex.MATCH_LENGTH_MAX + DraftPolicy.BUDGET_MAX];

    private int contextInLine;
    private final boolean ownVotes;
    private final boolean saidApart;
    private final boolean gappedVotes;
    private final boolean alignedVotes;
    private final boolean similarVotes;

    /**
     * A search of one request's voters.
     *
     * @param parts who votes
     */
    VoterSearch(Set<DraftPart> parts) {
        this.ownVotes = parts.contains(DraftPart.OWN);
        this.saidApart = parts.contains(DraftPart.SAID);
        this.gappedVotes = parts.contains(DraftPart.GAPPED);
        this.alignedVotes = parts.contains(DraftPart.ALIGNED);
        this.similarVotes = parts.contains(DraftPart.SIMILAR);
    }

    void reset() {
        own.reset();
        recent.reset();
        release();
    }

    /** Lets go of the lane: of its texts, and of what was copied out of them. */
    void release() {
        alignments.reset();
        similar.reset();
        found.release();
        now.release();
        before.release();
    }

    void append(int token) {
        own.append(token);
        recent.append(token);
    }

    /** The prompt is whole: what comes is the request's own answer. */
    void beginAnswer() {
        recent.beginAnswer();
        if (similarVotes) {
            similar.ask(own.tokens(), own.length());
        }
    }

    /** Looks now for what does not depend on the context's end. */
    void prepare(LaneIndex index) {
        if (similarVotes) {
            similar.prepare(index);
        }
    }

    /** Where the context has which token. */
    ContextPlaces places() {
        return recent;
    }

    int contextLength() {
        return own.length();
    }

    int lastToken() {
        return own.tokens()[own.length() - 1];
    }

    /**
     * Adds all voters at the context's end, source by source, in a fixed order.
     *
     * @param step false: for others' drafts between the request's own steps, which follow the same answers; those are followed by its own
     *     steps alone
     */
    void collect(LaneIndex index, Occurrences into, boolean step) {
        contextInLine = Math.min(own.length(), OccurrenceIndex.MATCH_LENGTH_MAX);
        System.arraycopy(own.tokens(), own.length() - contextInLine, line, 0, contextInLine);
        if (ownVotes) {
            own.occurrences(OWN_MAX, SourceKind.OWN.index(), into);
            addRecent(into);
            tellSaid(into, 0, 0);
        }
        collectShared(index, into, step);
        if (ownVotes && gappedVotes) {
            own.gappedOccurrences(1, OWN_GAPPED_MATCH_MIN, OWN_GAPPED_MAX, SourceKind.OWN_GAPPED.index(), into);
        }
        if (similarVotes) {
            similar.collect(index, line, contextInLine, into);
        }
    }

    private void collectShared(LaneIndex index, Occurrences into, boolean step) {
        NearestFound last = before;
        before = now;
        now = last;
        now.open(own.length());
        int from = into.size();
        Object freshContent = index.fresh() == null ? null : index.fresh().content();
        List<? extends OccurrenceIndex> older = index.older();
        for (int i = 0; i < older.size(); i++) {
            nearest(i + 2, older.get(i), SourceKind.OLDER, into);
        }
        nearest(1, index.newest(), SourceKind.NEWEST, into);
        nearest(0, index.fresh(), SourceKind.FRESH, into);
        if (alignedVotes) {
            collectAligned(index, freshContent, into, from, step);
        }
        if (gappedVotes) {
            collectGapped(index, into);
        }
    }

    private void collectAligned(LaneIndex index, Object freshContent, Occurrences into, int shared, boolean step) {
        if (step) {
            alignments.open(own.length());
        }
        alignments.dropGone(index, freshContent);
        if (step) {
            alignments.follow(own.length(), into, shared);
        }
        alignments.tell(own.tokens(), own.length(), into, step);
    }

    private void collectGapped(LaneIndex index, Occurrences into) {
        List<? extends OccurrenceIndex> older = index.older();
        for (int i = 0; i < older.size(); i++) {
            gapped(i + 2, older.get(i), into);
        }
        gapped(1, index.newest(), into);
        gapped(0, index.fresh(), into);
    }

    /** Adds voters that match the end of the path to a node, from the own context and from similar answers; some may have come along already. */
    void renew(DraftTree tree, int node, Occurrences into) {
        if (tree.probability(node) < RENEWED_PROBABILITY_MIN || (!ownVotes && similar.isEmpty())) {
            return;
        }
        int depth = tree.depth(node);
        for (int at = node, end = contextInLine + depth - 1; at >= 0; at = tree.parent(at), end--) {
            line[end] = tree.token(at);
        }
        if (ownVotes) {
            int from = into.size();
            recent.find(line, contextInLine + depth, depth, RENEWED_OWN_MAX, SourceKind.OWN.index(), into);
            tellSaid(into, from, depth);
        }
        similar.renew(line, contextInLine + depth, depth, into);
    }

    /** The latest places of the last token that the automaton's links did not give. */
    private void addRecent(Occurrences into) {
        found.clear();
        recent.find(line, contextInLine, 0, OWN_RECENT_MAX, SourceKind.OWN.index(), found);
        int known = into.size();
        for (int i = 0; i < found.size(); i++) {
            if (!holds(into, known, found.position(i))) {
                into.add(own, found.position(i), found.matchLength(i), SourceKind.OWN.index(), found.next(i));
            }
        }
    }

    /** Places in the request's own answer are a source of their own; positions are as seen {@code ahead} tokens before. */
    private void tellSaid(Occurrences voters, int from, int ahead) {
        for (int i = from; saidApart && i < voters.size(); i++) {
            if (recent.isAnswer(voters.position(i) + ahead)) {
                voters.setSource(i, SourceKind.SAID.index());
            }
        }
    }

    private static boolean holds(Occurrences occurrences, int size, int position) {
        for (int i = 0; i < size; i++) {
            if (occurrences.position(i) == position) {
                return true;
            }
        }
        return false;
    }

    private void nearest(int part, OccurrenceIndex index, SourceKind kind, Occurrences into) {
        if (index == null) {
            return;
        }
        Object content = index.content();
        int from = into.size();
        index.nearest(own.tokens(), own.length(), SHARED_MAX, kind.index(), into);
        now.keep(part, content, into, from);
    }

    private void gapped(int part, OccurrenceIndex index, Occurrences into) {
        int length = own.length() - 1;
        if (index == null || length < SHARED_GAPPED_MATCH_MIN) {
            return;
        }
        int lastToken = own.tokens()[length];
        int source = SourceKind.SHARED_GAPPED.index();
        found.clear();
        if (!before.goesOn(part, index, own.tokens(), length, source, found)) {
            index.nearest(own.tokens(), length, SHARED_GAPPED_MAX, source, found);
        }
        for (int i = 0; i < found.size(); i++) {
            int position = found.position(i) + 1;
            int token = found.next(i);
            if (found.matchLength(i) >= SHARED_GAPPED_MATCH_MIN && token >= 0 && token != lastToken) {
                into.add(found.text(i), position, found.matchLength(i), source);
            }
        }
    }
}
