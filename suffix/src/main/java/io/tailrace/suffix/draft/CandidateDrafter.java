package io.tailrace.suffix.draft;

/** A drafter that can also draft what the target model itself found likely, if who verifies tells it. */
public interface CandidateDrafter extends Drafter {
    /**
     * Whether it knows of no candidates yet after a token: then they are worth telling also in a step for which it drafted nothing.
     *
     * @param token a token id
     * @return true if so
     */
    boolean lacks(int token);

    /**
     * Tells the likeliest tokens that the model gave at one place of the last verification, before {@link #verified}. Every
     * place it looked at is worth telling: the context's end and each node of the draft, accepted or not.
     *
     * @param token the token at the place
     * @param likeliest what may follow it, likeliest first, without repeats
     * @param count how many of them
     */
    void candidates(int token, int[] likeliest, int count);
}
