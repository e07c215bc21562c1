package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PromptSignature;
import java.util.Arrays;
import java.util.List;

/**
 * The answers to the requests most like this one, as a source of their own: what one of these answers says votes, also where it matches no longer
 * than a token, and where thousands of other answers match as long.
 *
 * <p><b>Copies.</b> They are found before the first draft after the prompt is known, and copied, so that they last longer than the segments
 * and runs they were found in: those are replaced about once a second. A copy must not outlast the answer. So they are looked for anew as
 * soon as the lane has other segments, or other fresh answers left it ({@link OccurrenceIndex#lasting}): before that draft looks at any of them.
 * What a delete withdraws is not in the lane's new segments, nor among what is fresh, and so not in the new copies. Answers that are only
 * added are not looked for. The copies go with the next request's beginning, as the request's own context does.
 *
 * <p>Cost: a look-up a request and snapshot ({@link SimilarSearch}); a draft visits {@value SimilarTexts#PLACES_MAX} places at most. Nothing is
 * allocated but for look-ups. Without signatures in the lane it finds nothing and does nothing.
 */
public final class SimilarAnswers {
    /** Places at the context's end that vote, those that match longest; and places that join at a drafted node. */
    static final int PLACES_MAX = 16;

    static final int RENEWED_MAX = 4;

    private final SimilarSearch search = new SimilarSearch();
    private final SimilarTexts texts = new SimilarTexts();
    private PromptSignature prompt = PromptSignature.NONE;
    /** What stood for the lane's parts when the answers were looked for; null before that. */
    private Object[] lane = new Object[8];

    private int parts = -1;

    /** Nobody's yet. */
    public SimilarAnswers() {}

    /** Another request: its prompt is not known yet. */
    void reset() {
        prompt = PromptSignature.NONE;
        forgetLane();
        texts.reset();
    }

    private void forgetLane() {
        Arrays.fill(lane, null);
        parts = -1;
    }

    /**
     * The request's prompt is {@code tokens[0..length)}.
     *
     * @param tokens token ids
     * @param length how many of them
     */
    public void ask(int[] tokens, int length) {
        prompt = PromptSignature.of(tokens, length);
    }

    /**
     * Looks for the answers, unless it is known that there are the same.
     *
     * @param index the lane as it stands now
     * @return whether it looked: {@link #texts} may be others now
     */
    public boolean prepare(LaneIndex index) {
        boolean looks = prompt.size() > 0 && isOther(index);
        if (looks) {
            lookUp(index);
        }
        return looks;
    }

    /**
     * The copies, for a drafter on another processor.
     *
     * @return what was found by the last look-up; always the same object
     */
    public SimilarTexts texts() {
        return texts;
    }

    /** Adds voters at the context's end, which {@code line[0..lineLength)} ends with. */
    void collect(LaneIndex index, int[] line, int lineLength, Occurrences into) {
        prepare(index);
        if (!texts.isEmpty()) {
            texts.findLongest(line, lineLength, PLACES_MAX, into);
        }
    }

    /** Adds voters at a node, whose path {@code line[0..lineLength)} ends with: its last {@code depth} tokens. */
    void renew(int[] line, int lineLength, int depth, Occurrences into) {
        if (!texts.isEmpty()) {
            texts.findFirst(line, lineLength, depth, RENEWED_MAX, into);
        }
    }

    boolean isEmpty() {
        return texts.isEmpty();
    }

    /** The least similar are copied first: places are visited from the last one back. */
    private void lookUp(LaneIndex index) {
        note(index);
        texts.clear();
        search.find(prompt, index);
        for (int rank = search.size() - 1; rank >= 0; rank--) {
            int answer = search.answer(rank);
            texts.add(search.text(answer), search.document(answer), rank);
        }
        search.close();
    }

    /** Whether a part has come or gone, or an answer has left one, since the last look-up. */
    private boolean isOther(LaneIndex index) {
        List<? extends OccurrenceIndex> older = index.older();
        if (parts != older.size() + 2 || lane[0] != lasting(index.fresh()) || lane[1] != lasting(index.newest())) {
            return true;
        }
        for (int i = 0; i < older.size(); i++) {
            if (lane[i + 2] != older.get(i).lasting()) {
                return true;
            }
        }
        return false;
    }

    /** Before anything is looked up: what leaves meanwhile is then noticed at the next draft. */
    private void note(LaneIndex index) {
        List<? extends OccurrenceIndex> older = index.older();
        forgetLane();
        parts = older.size() + 2;
        if (lane.length < parts) {
            lane = new Object[2 * parts];
        }
        lane[0] = lasting(index.fresh());
        lane[1] = lasting(index.newest());
        for (int i = 0; i < older.size(); i++) {
            lane[i + 2] = older.get(i).lasting();
        }
    }

    private static Object lasting(OccurrenceIndex index) {
        return index == null ? null : index.lasting();
    }
}
