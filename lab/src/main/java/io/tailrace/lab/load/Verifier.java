package io.tailrace.lab.load;

/**
 * Begins verifier sessions. Safe for any number of threads; a session belongs to one.
 *
 * @param <R> what a request must bring: its recorded answer, sampling parameters for a model
 */
public interface Verifier<R> extends AutoCloseable {
    VerifierSession begin(R request);

    /** Frees what all sessions share. */
    @Override
    void close();
}
