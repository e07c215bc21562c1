package io.tailrace.operators.indexing;

import io.tailrace.operators.SideThreads;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.state.StateCell;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.operators.store.DurableStore;
import java.util.List;
import org.apache.flink.util.function.SerializableSupplier;

/** Shard indexers under a clock of the test's, and what their state holds. */
public final class SimulatedIndexers {
    private static final StateCodec<AdmittedGeneration> GENERATION =
            new StateCodec<>(AdmittedGeneration.class, "Generation");
    private static final StateCodec<ShardProgress.Counters> COUNTERS =
            new StateCodec<>(ShardProgress.Counters.class, "Shard");
    /** Names of their states. */
    public static final String MEMTABLE = "memtable";

    public static final String COUNTED = "shard-counters";

    private SimulatedIndexers() {}

    public static ShardIndexer indexer(
            IndexingOptions options,
            long tombstoneMillis,
            ModelCatalog models,
            DurableStore.Factory stores,
            ControlCommand.History history,
            String scratch,
            SerializableSupplier<Long> clock,
            SideThreads threads) {
        return new ShardIndexer(
                options,
                tombstoneMillis,
                models,
                stores,
                history,
                scratch,
                BoundTopics.only("generations"),
                clock,
                threads);
    }

    /** Of one shard's state. */
    @SuppressWarnings("unchecked")
    public static List<AdmittedGeneration> memtable(Object state) {
        return ((List<StateCell<AdmittedGeneration>>) state)
                .stream().map(cell -> cell.get(GENERATION)).toList();
    }

    /** Of one shard's state. */
    @SuppressWarnings("unchecked")
    public static ShardProgress.Counters counters(Object state) {
        return ((StateCell<ShardProgress.Counters>) state).get(COUNTERS);
    }
}
