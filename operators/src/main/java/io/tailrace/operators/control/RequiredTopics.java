package io.tailrace.operators.control;

import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;

/** The topics that a job reads and writes, which somebody has to make before it starts. */
@FunctionalInterface
public interface RequiredTopics extends Serializable {
    /**
     * What is wrong with them, for people, with the remedy; empty: nothing that can be seen.
     *
     * @throws IOException if the brokers do not say
     */
    Optional<String> trouble() throws IOException;
}
