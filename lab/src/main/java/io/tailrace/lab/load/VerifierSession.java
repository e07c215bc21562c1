package io.tailrace.lab.load;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;

/** One request's state in a verifier: its place in the recorded answer, or its KV cache. One thread. */
public interface VerifierSession extends AutoCloseable {
    /**
     * Verifies one draft tree, which may be empty, and moves on past the accepted path and the bonus token.
     *
     * @param draft valid during the call
     * @param into overwritten
     * @throws IllegalStateException if the last verdict said that the request is finished
     */
    void verify(Draft draft, Verdict into);

    @Override
    void close();
}
