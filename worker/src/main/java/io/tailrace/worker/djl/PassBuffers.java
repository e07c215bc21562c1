package io.tailrace.worker.djl;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import io.tailrace.worker.huggingface.LlamaConfig;
import io.tailrace.worker.model.PassPlan;
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

    PlannedTensors tensors(PtNDManager pass, PassPlan plan) {
        return new PlannedTensors(indices(pass, plan), blocked(pass, plan));
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
}
