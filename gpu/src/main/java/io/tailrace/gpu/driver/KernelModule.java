package io.tailrace.gpu.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The loaded kernels, launched by name. */
final class KernelModule implements AutoCloseable {
    private final CUmodule module = new CUmodule();
    /** The decode thread launches steps, another one opens snapshots. */
    private final Map<String, CUfunction> functions = new ConcurrentHashMap<>();

    KernelModule(byte[] binary) {
        Driver.check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, binary));
    }

    /** Lets a kernel take more dynamic shared memory than every GPU grants unasked. */
    void allowSharedBytes(String kernel, int bytes) {
        int attribute = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        Driver.check(
                "cuFuncSetAttribute(" + kernel + ")",
                JCudaDriver.cuFuncSetAttribute(function(kernel), attribute, bytes));
    }

    /** Blocks of a launch, threads of a block, and its dynamic shared memory. */
    record Shape(int columns, int rows, int threads, int sharedBytes) {}

    /** Queues a kernel. Arguments: {@link Long} for an address, {@link Integer}, {@link Float}. */
    void launch(String kernel, Shape shape, CUstream stream, Object... arguments) {
        Pointer[] values = new Pointer[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            values[i] = argument(arguments[i]);
        }
        int code = JCudaDriver.cuLaunchKernel(
                function(kernel),
                shape.columns(),
                shape.rows(),
                1,
                shape.threads(),
                1,
                1,
                shape.sharedBytes(),
                stream,
                Pointer.to(values),
                null);
        Driver.check("cuLaunchKernel(" + kernel + ")", code);
    }

    private static Pointer argument(Object value) {
        if (value instanceof Long address) {
            return Pointer.to(new long[] {address});
        }
        if (value instanceof Integer number) {
            return Pointer.to(new int[] {number});
        }
        return Pointer.to(new float[] {(Float) value});
    }

    private CUfunction function(String kernel) {
        return functions.computeIfAbsent(kernel, name -> {
            CUfunction function = new CUfunction();
            Driver.check("cuModuleGetFunction(" + name + ")", JCudaDriver.cuModuleGetFunction(function, module, name));
            return function;
        });
    }

    @Override
    public void close() {
        Driver.check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
    }
}
