package io.tailrace.agent.engine;

import io.tailrace.agent.protocol.Hello;

/** Hears of what an engine's steps bring. Called in the engine's thread, after the reply where it may take time. */
public interface EngineListener {
    /** A step was drafted for so many requests. */
    void drafted(int requests, long nanos);

    /**
     * A request has ended.
     *
     * @param sequence the step that said so
     */
    void ended(Hello engine, EndedRequest request, long sequence);
}
