package io.tailrace.tap.publish;

/** Hears what is published and what is not. Safe for any number of threads. */
public interface PublishCounts {
    /** A generation was handed to the reporter. */
    void published(int tokens);

    void skipped(SkipReason reason);
}
