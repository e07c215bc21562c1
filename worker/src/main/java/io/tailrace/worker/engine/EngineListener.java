package io.tailrace.worker.engine;

/** Watches an engine. Called by the decode thread: must be quick and never block. */
public interface EngineListener {
    EngineListener NONE = new EngineListener() {};

    /**
     * A step was made.
     *
     * @param batch requests in it
     * @param tokens tokens of its pass: pieces of prompts, last tokens, drafts
     * @param nanos its time, drafting not included
     * @param draftNanos time of drafting for it
     */
    default void stepped(int batch, int tokens, long nanos, long draftNanos) {}

    /** An answer has ended, or was cancelled; before its sink is told. */
    default void finished(Answer answer) {}
}
