package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * The remembered answers that a request has been following, taken up again where it differed from them for a few tokens: another name, a
 * word more or less.
 *
 * <p>An occurrence that matches {@value #MATCH_MIN} tokens or more is followed: where it is, and how much of it the request has said so far, its
 * <i>credit</i>. At each step every followed answer says where the request would be in it now: at the place near the expected one whose
 * last tokens match best; or, for a few steps after it was lost, at the expected place itself, at a quarter of the credit. Credit stands in for the
 * match length. Of at most {@value #FOLLOWED_MAX} answers the one with the least credit, less a tenth for each step without a match, makes room for a
 * better one. An answer is followed to its end and no further: behind it stands another prompt's tail. {@value #SAME_TOKENS_MAX} tokens after it was
 * lost it says nothing.
 *
 * <p>Cost: {@value #FOLLOWED_MAX} stretches of {@value #SHIFT_MAX} tokens to each side are looked through at each draft, and whether the answer
 * lasts to there. Nothing is allocated.
 */
final class Alignments {
    static final int FOLLOWED_MAX = 8;
    static final int MATCH_MIN = 3;
    /** An answer is followed so far from where it was expected. */
    static final int SHIFT_MAX = 12;
    /** An occurrence so near to a followed place is of the same following. */
    static final int SAME_POSITIONS_MAX = 48;

    /** So many tokens after an answer was lost it is no longer followed. */
    static final int SAME_TOKENS_MAX = 64;
    /** So many tokens after an answer was lost it is still told at the expected place. */
    static final int LOST_TOKENS_MAX = 6;

    static final int LOST_SHARE = 4;
    static final float KEPT_A_STEP = 0.9f;
    private static final int STEPS_MAX = 128;
    private static final float[] KEPT = kept();
    private static final int SOURCE = SourceKind.ALIGNED.index();

    private final TokenText[] texts = new TokenText[FOLLOWED_MAX];
    /** Where the request was in it, and how long the context was then. */
    private final int[] positions = new int[FOLLOWED_MAX];

    private final int[] lengths = new int[FOLLOWED_MAX];
    private final int[] credits = new int[FOLLOWED_MAX];
    private final int[] steps = new int[FOLLOWED_MAX];
    private int size;
    private int step;
    /** The place sought last, and how far it matches. */
    private int sought;

    private int soughtMatch;

    /** As they were before the step at this context's length, for another draft at the same place: it must be the same. */
    private final TokenText[] textsBefore = new TokenText[FOLLOWED_MAX];

    private final int[] numbersBefore = new int[4 * FOLLOWED_MAX];
    private int sizeBefore;
    private int stepBefore;
    private int steppedAt;

    /** Of what lane it is known that it has all followed answers: null where of none. */
    private LaneIndex lane;

    private Object freshContent;

    void reset() {
        Arrays.fill(texts, null);
        Arrays.fill(textsBefore, null);
        size = 0;
        step = 0;
        steppedAt = -1;
        lane = null;
        freshContent = null;
    }

    /** Begins a step at the end of a context of this length, or begins it anew. */
    void open(int length) {
        if (length == steppedAt) {
            System.arraycopy(textsBefore, 0, texts, 0, FOLLOWED_MAX);
            copy(numbersBefore, 0, positions, 0);
            copy(numbersBefore, 1, lengths, 0);
            copy(numbersBefore, 2, credits, 0);
            copy(numbersBefore, 3, steps, 0);
            size = sizeBefore;
            step = stepBefore;
            lane = null;
        } else {
            System.arraycopy(texts, 0, textsBefore, 0, FOLLOWED_MAX);
            copy(positions, 0, numbersBefore, 0);
            copy(lengths, 0, numbersBefore, 1);
            copy(credits, 0, numbersBefore, 2);
            copy(steps, 0, numbersBefore, 3);
            sizeBefore = size;
            stepBefore = step;
            steppedAt = length;
        }
    }

    private static void copy(int[] from, int fromBlock, int[] to, int toBlock) {
        System.arraycopy(from, fromBlock * FOLLOWED_MAX, to, toBlock * FOLLOWED_MAX, FOLLOWED_MAX);
    }

    /** Follows the occurrences {@code voters[from..)} of the end of a context of this length. */
    void follow(int length, Occurrences voters, int from) {
        step++;
        for (int voter = from; voter < voters.size(); voter++) {
            if (voters.matchLength(voter) >= MATCH_MIN) {
                follow(voters.text(voter), voters.position(voter), voters.matchLength(voter), length);
            }
        }
    }

    /**
     * Adds where the followed answers would be now.
     *
     * @param context the tokens so far
     * @param length how many of them there are
     * @param settle whether they are followed from there; else nothing changes
     */
    void tell(int[] context, int length, Occurrences voters, boolean settle) {
        for (int followed = 0; followed < size; followed++) {
            tell(followed, context, length, voters, settle);
        }
    }

    /**
     * Leaves the answers that are not in the lane any more. Its segments hold what they hold; so only another lane, or another content of what is
     * fresh there, is looked through.
     *
     * @param content of what is fresh, as it was before those were sought that are followed next; null: none can be said
     */
    void dropGone(LaneIndex index, Object content) {
        if (index.equals(lane) && content == freshContent && (content != null || index.fresh() == null)) {
            return;
        }
        lane = index;
        freshContent = content;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (isHeld(index, texts[i])) {
                move(i, kept++);
            }
        }
        size = kept;
    }

    private static boolean isHeld(LaneIndex index, TokenText text) {
        for (int i = 0; i < index.older().size(); i++) {
            if (index.older().get(i).holds(text)) {
                return true;
            }
        }
        return holds(index.newest(), text) || holds(index.fresh(), text);
    }

    private static boolean holds(OccurrenceIndex index, TokenText text) {
        return index != null && index.holds(text);
    }

    private void move(int from, int to) {
        texts[to] = texts[from];
        positions[to] = positions[from];
        lengths[to] = lengths[from];
        credits[to] = credits[from];
        steps[to] = steps[from];
    }

    private void follow(TokenText text, int position, int match, int length) {
        int known = find(text, position, length);
        if (known < 0) {
            add(text, position, match, length);
        } else if (match > MATCH_MIN || position - positions[known] == length - lengths[known]) {
            int gone = Math.max(1, length - lengths[known]);
            put(known, position, length, credits[known] + gone);
        }
    }

    private int find(TokenText text, int position, int length) {
        for (int i = 0; i < size; i++) {
            if (texts[i] == text
                    && Math.abs(position - positions[i]) <= SAME_POSITIONS_MAX
                    && length - lengths[i] <= SAME_TOKENS_MAX) {
                return i;
            }
        }
        return -1;
    }

    private void add(TokenText text, int position, int match, int length) {
        int at = size;
        if (size < FOLLOWED_MAX) {
            size++;
        } else {
            at = weakest();
            if (worth(at) >= match) {
                return;
            }
        }
        texts[at] = text;
        put(at, position, length, match);
    }

    private void put(int at, int position, int length, int credit) {
        positions[at] = position;
        lengths[at] = length;
        credits[at] = credit;
        steps[at] = step;
    }

    private int weakest() {
        int weakest = 0;
        for (int i = 1; i < size; i++) {
            weakest = worth(i) < worth(weakest) ? i : weakest;
        }
        return weakest;
    }

    private float worth(int followed) {
        return credits[followed] * KEPT[Math.min(STEPS_MAX - 1, step - steps[followed])];
    }

    /** What is left of a credit after so many steps without a match; from the last on it stays. */
    static float[] creditsKept() {
        return KEPT.clone();
    }

    private void tell(int followed, int[] context, int length, Occurrences voters, boolean settle) {
        TokenText text = texts[followed];
        int credit = credits[followed];
        int gone = length - lengths[followed];
        int expected = positions[followed] + gone;
        if (gone == 0) {
            voters.add(text, expected, voice(credit), SOURCE);
        } else if (gone <= SAME_TOKENS_MAX) {
            int end = end(text, positions[followed] + 1, expected + SHIFT_MAX);
            if (seek(followed, expected, end, context, length)) {
                voters.add(text, sought, voice(credit), SOURCE);
                if (settle && soughtMatch > 1) {
                    put(followed, sought, length, credit + soughtMatch);
                }
            } else if (gone <= LOST_TOKENS_MAX && expected < end) {
                voters.add(text, expected, Math.max(1, voice(credit) / LOST_SHARE), SOURCE);
            }
        }
    }

    /** Where a document ends from a place on, or behind the last place that is looked at. */
    private static int end(TokenText text, int from, int last) {
        int at = from;
        while (at <= last && text.token(at) >= 0) {
            at++;
        }
        return at;
    }

    /** Finds the place near the expected one whose last tokens match best, the nearer one among equals; false: none before the end matches. */
    private boolean seek(int followed, int expected, int end, int[] context, int length) {
        TokenText text = texts[followed];
        soughtMatch = 0;
        for (int at = Math.max(positions[followed] + 1, expected - SHIFT_MAX); at < end; at++) {
            if (text.token(at) == context[length - 1]) {
                int match = match(text, at, context, length);
                boolean nearer = Math.abs(at - expected) < Math.abs(sought - expected);
                if (match > soughtMatch || (match == soughtMatch && nearer)) {
                    soughtMatch = match;
                    sought = at;
                }
            }
        }
        return soughtMatch > 0;
    }

    private static int voice(int credit) {
        return Math.min(credit, OccurrenceIndex.MATCH_LENGTH_MAX);
    }

    private static int match(TokenText text, int position, int[] context, int length) {
        int most = Math.min(OccurrenceIndex.MATCH_LENGTH_MAX, length);
        int match = 1;
        while (match < most && text.token(position - match) == context[length - 1 - match]) {
            match++;
        }
        return match;
    }

    private static float[] kept() {
        float[] kept = new float[STEPS_MAX];
        float share = 1;
        for (int i = 0; i < STEPS_MAX; i++) {
            kept[i] = share;
            share *= KEPT_A_STEP;
        }
        return kept;
    }
}
