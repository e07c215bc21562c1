package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Preconditions.require;

import java.io.Serializable;
import java.util.List;

/**
 * How generations are evaluated.
 *
 * @param busyShareMax share of one thread's time that evaluation may take in a task; samples beyond it are skipped and
 *     counted; 1: none is skipped, and the stream waits where evaluation is slower
 * @param hurry how many times as fast mixers learn while a drift alarm is on
 * @param choices what else to count on the same generations
 * @param cacheBytesMax local copies of segments kept by one task
 */
public record EvaluationOptions(double busyShareMax, float hurry, List<EvaluationChoice> choices, long cacheBytesMax)
        implements Serializable {
    public EvaluationOptions {
        require(busyShareMax > 0 && busyShareMax <= 1, "busyShareMax must be above 0, at most 1, got %s", busyShareMax);
        require(hurry >= 1 && hurry <= 100, "hurry must be 1 to 100, got %s", hurry);
        require(cacheBytesMax >= 0, "cacheBytesMax must be >= 0, got %d", cacheBytesMax);
        choices = List.copyOf(choices);
    }

    /** Half the time, three times as fast, nothing else, 1 GiB. */
    public static EvaluationOptions defaults() {
        return new EvaluationOptions(0.5, 3, List.of(), 1L << 30);
    }
}
