package io.tailrace.worker.djl;

import ai.djl.pytorch.engine.PtNDArray;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a tensor's memory lies, on whatever device. DJL has no public way to ask: what its {@code toByteBuffer} uses for tensors of
 * the CPU makes a direct buffer over the tensor's memory without looking at it, and is called here by its name. The buffer is
 * asked for its address and never read.
 */
final class TensorAddress {
    private static final Logger LOG = LoggerFactory.getLogger(TensorAddress.class);
    private static final String LIBRARY = "ai.djl.pytorch.jni.PyTorchLibrary";

    /** Null where this release of DJL has no such method. */
    private static final Method DIRECT_BUFFER = find();

    private TensorAddress() {}

    /** Whether tensors can be asked. */
    static boolean known() {
        return DIRECT_BUFFER != null;
    }

    /** The address of a tensor without gaps, of less than 2 GiB; valid as long as the tensor. */
    static Optional<Long> of(PtNDArray tensor) {
        if (DIRECT_BUFFER == null || tensor.size() * tensor.getDataType().getNumOfBytes() > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        try {
            ByteBuffer buffer = (ByteBuffer) DIRECT_BUFFER.invoke(library(), tensor.getHandle());
            return Optional.of(Pointer.nativeValue(Native.getDirectBufferPointer(buffer)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a tensor's memory cannot be found", e);
        }
    }

    private static Object library() throws ReflectiveOperationException {
        var instance = Class.forName(LIBRARY).getDeclaredField("LIB");
        instance.setAccessible(true);
        return instance.get(null);
    }

    private static Method find() {
        try {
            Method method = Class.forName(LIBRARY).getDeclaredMethod("torchDirectByteBuffer", long.class);
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException e) {
            LOG.warn(
                    "this release of DJL does not say where tensors lie; logits are copied, and the host plans passes with drafts it has seen: {}",
                    e.toString());
            return null;
        }
    }
}
