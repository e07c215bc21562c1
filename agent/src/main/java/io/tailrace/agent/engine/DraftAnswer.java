package io.tailrace.agent.engine;

/** What came of a request that asked for a draft. */
public enum DraftAnswer {
    /** It has a draft. */
    DRAFTED,
    /** What was found is not worth the time that a step takes longer for it. */
    UNPAID,
    /** Nothing was found. */
    NOTHING,
    /** Nothing was looked for: it was in vain lately, the step is to be measured without drafts, or the policy is off. */
    SKIPPED
}
