package io.tailrace.operators.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.state.StateCell;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.junit.jupiter.api.Test;

/** What keeping a delete costs beside those that are kept. */
final class ControlStateTest {
    private static final long START = 1_700_000_000_000L;
    private static final long KEPT_MILLIS = 1_000_000;

    private final Counted state = new Counted();
    private final ControlState control = new ControlState(KEPT_MILLIS);

    private void keep(int delete, long now) throws Exception {
        control.keep(Samples.deleteRequest("d" + delete, "acme", "r" + delete, now), state, now);
    }

    @Test
    void manyDeletesAreLookedThroughOnceAMinuteAndNotForEach() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            keep(i, START + i);
        }
        assertThat(state.deletes).hasSize(10_000);
        assertThat(state.lookedThrough).isEqualTo(1);
        keep(10_000, START + ControlState.PRUNE_MILLIS);
        assertThat(state.lookedThrough).isEqualTo(2);
    }

    @Test
    void thoseThatArePastTheirTimeGoWithinAMinuteAlsoWhereTheClockWasSetBack() throws Exception {
        keep(0, START);
        keep(1, START + KEPT_MILLIS);
        keep(2, START + KEPT_MILLIS + 1);
        assertThat(state.deletes).containsOnlyKeys("d0", "d1", "d2");
        keep(3, START + KEPT_MILLIS + ControlState.PRUNE_MILLIS);
        assertThat(state.deletes).containsOnlyKeys("d1", "d2", "d3");
        control.keep(Samples.deleteRequest("d4", "acme", "r", START - KEPT_MILLIS - 1), state, START);
        assertThat(state.deletes).containsOnlyKeys("d1", "d2", "d3");
    }

    /** Counts how often it is looked through. */
    private static final class Counted implements BroadcastState<String, StateCell<ControlCommand>> {
        private final Map<String, StateCell<ControlCommand>> deletes = new HashMap<>();
        private int lookedThrough;

        @Override
        public void put(String id, StateCell<ControlCommand> delete) {
            deletes.put(id, delete);
        }

        @Override
        public void putAll(Map<String, StateCell<ControlCommand>> more) {
            deletes.putAll(more);
        }

        @Override
        public void remove(String id) {
            deletes.remove(id);
        }

        @Override
        public Iterator<Map.Entry<String, StateCell<ControlCommand>>> iterator() {
            return entries().iterator();
        }

        @Override
        public Iterable<Map.Entry<String, StateCell<ControlCommand>>> entries() {
            lookedThrough++;
            return deletes.entrySet();
        }

        @Override
        public Iterable<Map.Entry<String, StateCell<ControlCommand>>> immutableEntries() {
            return entries();
        }

        @Override
        public StateCell<ControlCommand> get(String id) {
            return deletes.get(id);
        }

        @Override
        public boolean contains(String id) {
            return deletes.containsKey(id);
        }

        @Override
        public void clear() {
            deletes.clear();
        }
    }
}
