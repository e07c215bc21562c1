package io.tailrace.suffix;

/** A text of answers that have signatures of their prompts: a segment, or a run of fresh ones. Safe for any number of threads. */
public interface SignedAnswers extends TokenText {
    /** {@return which answers have which hash; the same object each time, as long as it is one of {@link OccurrenceIndex#signed}} */
    SignaturePostings postings();

    /**
     * A hash of an answer's signature.
     *
     * @param document the answer's number, from 0; later answers have higher ones
     * @param number of the hash, 0 to {@link PromptSignature#HASHES_MAX} - 1; they ascend
     * @return 1 to 65,535, or {@link PromptSignature#NO_HASH} behind the last
     */
    char signatureHash(int document, int number);

    /**
     * Where an answer's text begins: its prompt's tail, and after it the answer up to a {@link TokenText#TERMINATOR}.
     *
     * @param document the answer's number, from 0
     * @return a position
     */
    int documentStart(int document);

    /**
     * How many tokens of the prompt's tail it begins with.
     *
     * @param document the answer's number, from 0
     * @return 0 to {@link RememberedAnswer#TAIL_TOKENS_MAX}
     */
    int tail(int document);
}
