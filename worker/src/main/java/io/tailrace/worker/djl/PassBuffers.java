package io.tailrace.worker.djl;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import io.tailrace.worker.huggingface.LlamaConfig;
import io.tailrace.worker.model.PassPlan;
import io.tailrace.worker.model.PlannedPass;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a pass hands to the engine beside weights and cache. The buffers are kept from pass to pass and read in place by the
 * CPU, so their content holds until the pass is over. They grow to the largest pass, which the cache bounds.
 */
final class PassBuffers implements AutoCloseable {
    private final IValue shape;
    private ByteBuffer indices = direct(1 << 12);
    private ByteBuffer blocked = direct(1 << 12);

    PassBuffers(LlamaConfig config) {
        shape = IValue.listFrom((long) config.heads(), config.keyValueHeads(), config.headSize());
    }

    IValue shape() {
        return shape;
    }

    Tensors tensors(PtNDManager pass, PassPlan plan) {
        return new Tensors(indices(pass, plan), blocked(pass, plan));
    }

    private PtNDArray indices(PtNDManager pass, PassPlan plan) {
        long[] numbers = plan.indices();
        indices = atLeast(indices, Math.multiplyExact(numbers.length, Long.BYTES));
        indices.clear().limit(numbers.length * Long.BYTES);
        indices.asLongBuffer().put(numbers);
        return pass.create(indices, new Shape(numbers.length), DataType.INT64);
    }

    private PtNDArray blocked(PtNDManager pass, PassPlan plan) {
        byte[] bytes = plan.blocked();
        blocked = atLeast(blocked, bytes.length);
        blocked.clear().limit(bytes.length);
        blocked.put(0, bytes);
        return pass.create(blocked, new Shape(bytes.length), DataType.UINT8);
    }

    @Override
    public void close() {
        shape.close();
    }

    private static ByteBuffer atLeast(ByteBuffer buffer, int bytes) {
        return bytes <= buffer.capacity()
                ? buffer
                : direct(Math.max(bytes, (int) Math.min(2L * buffer.capacity(), Integer.MAX_VALUE)));
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * The inputs of one pass as tensors.
     *
     * @param indices {@link PassPlan#indices}
     * @param blocked {@link PassPlan#blocked}
     */
    record Tensors(PtNDArray indices, PtNDArray blocked) {
        /** Where they lie; only where {@link TensorAddress#known}. */
        PlannedPass in(Device device, PassPlan plan, int vocabulary) {
            long tokens = TensorAddress.of(indices).orElseThrow();
            long positions = tokens + (long) plan.nodes() * Long.BYTES;
            long cells = TensorAddress.of(blocked).orElseThrow();
            return new PlannedPass(DjlEngine.nameOf(device), tokens, positions, cells, vocabulary, plan::seat);
        }
    }
}
