package io.tailrace.worker.djl;

import ai.djl.Device;
import ai.djl.pytorch.engine.PtNDArray;
import io.tailrace.worker.model.PassPlan;
import io.tailrace.worker.model.PlannedPass;

/**
 * The inputs of one pass as tensors.
 *
 * @param indices {@link PassPlan#indices}
 * @param blocked {@link PassPlan#blocked}
 */
record PlannedTensors(PtNDArray indices, PtNDArray blocked) {
    /** Where they lie; only where {@link TensorAddress#known}. */
    PlannedPass in(Device device, PassPlan plan, int vocabulary) {
        long tokens = TensorAddress.of(indices).orElseThrow();
        long positions = tokens + (long) plan.nodes() * Long.BYTES;
        long cells = TensorAddress.of(blocked).orElseThrow();
        return new PlannedPass(DjlEngine.nameOf(device), tokens, positions, cells, vocabulary, plan::seat);
    }
}
