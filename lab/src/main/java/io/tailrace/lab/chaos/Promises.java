package io.tailrace.lab.chaos;

import java.util.ArrayList;
import java.util.List;

/** Which promises did not hold in a run, in words. A run that has shown nothing keeps none. */
final class Promises {
    private final List<String> broken = new ArrayList<>();

    void require(boolean holds, String wrong) {
        if (!holds) {
            broken.add(wrong);
        }
    }

    /** Something was broken at all, and what was is whole again, in time. */
    void faults(List<FaultOutcome> outcomes, long recoveryMillisMax) {
        require(
                outcomes.stream().anyMatch(FaultOutcome::done),
                "not a single fault was done, %d were left out: nothing was tried".formatted(outcomes.size()));
        for (FaultOutcome outcome : outcomes) {
            boolean whole = outcome.recovered() && outcome.wrong().isEmpty();
            require(!outcome.done() || whole, FaultTable.line(outcome));
        }
        long p99 = Recoveries.of(outcomes).p99Millis();
        require(
                p99 <= recoveryMillisMax,
                "recovery p99 %,d ms, at most %,d are allowed".formatted(p99, recoveryMillisMax));
    }

    /**
     * Each worker answers.
     *
     * @param before what was to be seen when the last fault was over
     * @param end when there are no more requests
     */
    void answers(Observation before, Observation end) {
        for (String worker : Truth.WORKERS) {
            require(end.hasTold(worker), worker + " has told no answer in the whole run");
            require(end.hasToldSince(before, worker), worker + " has told no answer after the last fault");
        }
    }

    /** None: the run is green. */
    List<String> broken() {
        return List.copyOf(broken);
    }
}
