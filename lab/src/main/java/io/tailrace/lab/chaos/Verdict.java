package io.tailrace.lab.chaos;

import java.util.List;
import java.util.Map;

/**
 * What a run has come to.
 *
 * @param told answers that somebody has whole
 * @param onTopic of them on topic generations
 * @param differing records on topic generations that are not the truth
 * @param versions that were announced
 * @param audit its findings, as {@code audit --json} writes them
 * @param auditGreen whether each of them holds, and nothing waits
 * @param ended processes that ended by themselves, once for each time
 * @param outside files that were touched and are none of the run's
 * @param broken each promise that did not hold, in words; none: the run is green
 */
record Verdict(
        long told,
        long onTopic,
        long differing,
        long versions,
        List<Map<String, Object>> audit,
        boolean auditGreen,
        List<String> ended,
        List<String> outside,
        List<String> broken) {}
