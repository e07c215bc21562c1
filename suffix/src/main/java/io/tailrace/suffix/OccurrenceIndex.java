package io.tailrace.suffix;

import java.util.List;

/** What finds the occurrences nearest to a context's end. Safe for any number of threads; keeps nothing between calls. */
public interface OccurrenceIndex {
    /** Matches longer than this count as this long: the search compares no further back. */
    int MATCH_LENGTH_MAX = 64;

    /**
     * Adds up to {@code countMax} occurrences of the end of {@code context[0..length)}, longest match first, matches of at
     * least one token, never across a document's start; only occurrences whose document goes on after them. Occurrences of
     * one length, below the most, keep their order when the context and the texts behind them go on alike.
     *
     * @param context the tokens so far
     * @param length how many of them there are: the end is at {@code context[length - 1]}
     * @param countMax most occurrences to add
     * @param source what they are noted as: {@link io.tailrace.suffix.draft.SourceKind#index()}
     * @param into where they are added
     * @return how many were added
     */
    int nearest(int[] context, int length, int countMax, int source, Occurrences into);

    /**
     * What stands for the text that is searched now: the same object as long as it is the same text, so that a draft may go on
     * with what the one before it found; null where nothing can be said.
     *
     * @return an object to compare by identity, or null
     */
    default Object content() {
        return null;
    }

    /**
     * Whether places inside prompts' tails, which no search finds, may end with the token: then an occurrence of a longer context need not
     * go on from one of a shorter context that ended with it.
     *
     * @param token a token id
     * @return false if none does
     */
    default boolean hides(int token) {
        return false;
    }

    /**
     * Tokens that it gives are below this, unless what it reads was damaged.
     *
     * @return a vocabulary's size; the most there is where that was made sure elsewhere
     */
    default int vocabularySize() {
        return Integer.MAX_VALUE;
    }

    /**
     * Adds how often each token is said in it, where the text goes on after it; and, where that is known, how often it is copied from its
     * context.
     *
     * @param counts where they are added
     */
    default void count(TokenCounts counts) {}

    /**
     * Whether a text that {@link #nearest} gave is still in it.
     *
     * @param text where an occurrence was
     * @return false where it is gone, and must not be read any more
     */
    default boolean holds(TokenText text) {
        return text == this;
    }

    /**
     * Its texts whose answers have signatures and can be looked up by them, the latest last.
     *
     * @return none where no answer has one, or there is no room for their postings
     */
    default List<? extends SignedAnswers> signed() {
        return List.of();
    }

    /**
     * Makes the postings of its signatures, if they are not made yet and there is room for them. It may take long: whoever loads a snapshot does it,
     * before anybody drafts.
     */
    default void makePostings() {
        signed().forEach(SignedAnswers::postings);
    }

    /**
     * Stands for the answers that are in it: the same object as long as none has left it, whatever was added. What was copied out of it is good
     * for as long.
     *
     * @return an object to compare by identity
     */
    default Object lasting() {
        return this;
    }
}
