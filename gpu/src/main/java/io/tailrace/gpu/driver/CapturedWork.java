package io.tailrace.gpu.driver;

import java.util.function.Consumer;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

/** Copies and kernels that are queued by one call: a CUDA graph. */
final class CapturedWork implements AutoCloseable {
    private final CUgraphExec graph = new CUgraphExec();

    /**
     * Captures what a caller queues.
     *
     * @param stream not the default stream; nothing may be queued on it
     */
    CapturedWork(CUstream stream, Consumer<CUstream> work) {
        CUgraph captured = capture(stream, work);
        Closings owned = new Closings();
        owned.add(() -> Driver.check("cuGraphDestroy", JCudaDriver.cuGraphDestroy(captured)));
        try {
            Driver.check("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(graph, captured, 0));
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
        try {
            owned.close();
        } catch (RuntimeException e) {
            owned.add(this::close);
            throw owned.closeAfter(e);
        }
    }

    /** Queues it. Memory that it copies from is read when it runs. */
    void queue(CUstream stream) {
        Driver.check("cuGraphLaunch", JCudaDriver.cuGraphLaunch(graph, stream));
    }

    @Override
    public void close() {
        Driver.check("cuGraphExecDestroy", JCudaDriver.cuGraphExecDestroy(graph));
    }

    private static CUgraph capture(CUstream stream, Consumer<CUstream> work) {
        CUgraph captured = new CUgraph();
        int mode = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED;
        Driver.check("cuStreamBeginCapture", JCudaDriver.cuStreamBeginCapture(stream, mode));
        try {
            work.accept(stream);
        } catch (RuntimeException e) {
            int ended = JCudaDriver.cuStreamEndCapture(stream, captured);
            if (ended == CUresult.CUDA_SUCCESS) {
                JCudaDriver.cuGraphDestroy(captured);
            }
            throw e;
        }
        Driver.check("cuStreamEndCapture", JCudaDriver.cuStreamEndCapture(stream, captured));
        return captured;
    }
}
