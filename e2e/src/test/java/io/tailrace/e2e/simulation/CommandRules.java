package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.e2e.simulation.Truth.Delete;
import io.tailrace.operators.publishing.SimulatedPublishers;
import io.tailrace.operators.publishing.SimulatedPublishers.Content;
import io.tailrace.operators.store.StoredSegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** What a command may do to the lanes of a job, which are as they are now before it. */
final class CommandRules {
    private final Truth truth;
    private final Run run;
    private final Map<String, Content> before;

    CommandRules(Truth truth, Run run) {
        this.truth = truth;
        this.run = run;
        this.before = contents();
    }

    private Map<String, Content> contents() {
        Map<String, Content> contents = new HashMap<>();
        run.state("publisher")
                .of(SimulatedPublishers.LANE)
                .forEach((lane, state) ->
                        contents.put((String) lane, SimulatedPublishers.content(state, World.PUBLISHING)));
        return contents;
    }

    /** A rollback that was obeyed brings nothing back that was deleted, and what it takes out of a lane is noted. */
    void checkRolledBack() {
        contents().forEach((lane, after) -> {
            Content was = before.get(lane);
            if (was != null && !Objects.equals(was.rolledBackBy(), after.rolledBackBy())) {
                Set<Integer> held = texts(after.segments());
                checkForgotten(after.rolledBackBy(), held);
                run.books().rolledBack.addAll(texts(was.segments()));
                run.books().rolledBack.removeAll(held);
            }
        });
    }

    private void checkForgotten(String rollback, Set<Integer> held) {
        for (int id : held) {
            for (Delete delete : truth.isCovered(id) ? truth.deletes() : List.<Delete>of()) {
                if (delete.covers(truth.answers().get(id))
                        && run.books().heardAt.containsKey(delete.id())) {
                    throw broken(
                            "%s brings request %d back in job %d, which has heard of delete %s",
                            rollback, id, run.job().number(), delete.id());
                }
            }
        }
    }

    private Set<Integer> texts(List<StoredSegment> segments) {
        Set<Integer> held = new TreeSet<>();
        segments.forEach(segment -> held.addAll(truth.texts(segment.path())));
        return held;
    }
}
