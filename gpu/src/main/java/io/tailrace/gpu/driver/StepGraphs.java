package io.tailrace.gpu.driver;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import jcuda.driver.CUstream;

/**
 * The parts of a step as graphs, one for each size of batch: powers of two, and the largest batch. A smaller batch is filled up with
 * idle entries. One call of the driver queues a part, which is up to eight copies and kernels.
 */
final class StepGraphs implements AutoCloseable {
    /** What is queued at once. */
    enum Part {
        DRAFT,
        FILL,
        VERIFY
    }

    private final Closings owned = new Closings();
    private final TreeMap<Integer, Map<Part, CapturedWork>> graphs = new TreeMap<>();

    /**
     * Captures all parts for all sizes.
     *
     * @param stream not the default stream
     */
    StepGraphs(StepKernels kernels, int batchMax, CUstream stream) {
        try {
            for (int size = 1; size < batchMax; size *= 2) {
                capture(kernels, size, stream);
            }
            capture(kernels, batchMax, stream);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    /** Entries of the graph that takes so many. */
    int size(int entries) {
        return graphs.ceilingKey(entries);
    }

    /** Queues a part for a batch of such a size. */
    void queue(Part part, int size, CUstream stream) {
        graphs.get(size).get(part).queue(stream);
    }

    @Override
    public void close() {
        owned.close();
    }

    private void capture(StepKernels kernels, int size, CUstream stream) {
        Map<Part, CapturedWork> parts = new EnumMap<>(Part.class);
        graphs.put(size, parts);
        for (Part part : Part.values()) {
            CapturedWork work = new CapturedWork(stream, on -> {
                switch (part) {
                    case DRAFT -> kernels.draft(on, size);
                    case FILL -> kernels.fill(on, size);
                    case VERIFY -> kernels.verify(on, size);
                }
            });
            owned.add(work::close);
            parts.put(part, work);
        }
    }
}
