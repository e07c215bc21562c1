package io.tailrace.worker.engine;

/** A request in the engine. Safe for any number of threads. */
public interface Ticket {
    /** Ends the request before its next step; its sink is told. Does nothing once it has ended. */
    void cancel();
}
