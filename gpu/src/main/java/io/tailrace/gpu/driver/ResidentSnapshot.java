package io.tailrace.gpu.driver;

import io.tailrace.gpu.PolicyImage;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * One snapshot on the device: a lane's block (a record, then the files as they are) and the policy's image. Files that the
 * snapshot before holds are copied within the device. Owned by {@link CudaDevice}, which frees it after its last step.
 */
final class ResidentSnapshot implements AutoCloseable {
    /** Size of {@code struct Lane}. */
    private static final int LANE_BYTES = 256;

    private static final int ALIGNMENT = 64;
    private static final int TRIPLE = 3;

    private final Map<String, long[]> files = new HashMap<>();
    private final Closings owned = new Closings();
    private final DeviceMemory lane;
    private final DeviceMemory policy;
    private final CUevent lastStep = new CUevent();
    private final float probabilityFloor;

    ResidentSnapshot(SnapshotImage image, ResidentSnapshot before, KernelModule kernels, CUstream stream) {
        probabilityFloor = image.probabilityFloor();
        try {
            lane = new DeviceMemory(laneBytes(image.parts()));
            owned.add(lane::close);
            policy = new DeviceMemory(PolicyImage.BYTES);
            owned.add(policy::close);
            int flags = CUevent_flags.CU_EVENT_DISABLE_TIMING;
            Driver.check("cuEventCreate", JCudaDriver.cuEventCreate(lastStep, flags));
            owned.add(() -> Driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(lastStep)));
            owned.add(() -> Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream)));
            fill(image, before, kernels, stream);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    float probabilityFloor() {
        return probabilityFloor;
    }

    long laneAddress() {
        return lane.address();
    }

    long policyAddress() {
        return policy.address();
    }

    /** Remembers the end of the last step that reads it. */
    void retire(CUstream steps) {
        Driver.check("cuEventRecord", JCudaDriver.cuEventRecord(lastStep, steps));
    }

    /** True once no step reads it any more. */
    boolean isIdle() {
        int code = JCudaDriver.cuEventQuery(lastStep);
        if (code != CUresult.CUDA_ERROR_NOT_READY) {
            Driver.check("cuEventQuery", code);
        }
        return code == CUresult.CUDA_SUCCESS;
    }

    @Override
    public void close() {
        owned.close();
    }

    private static long laneBytes(List<SnapshotImage.Part> parts) {
        long bytes = LANE_BYTES;
        for (SnapshotImage.Part part : parts) {
            bytes = aligned(bytes + part.bytes().remaining());
        }
        return bytes;
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Gives each file its place; returns offset, length and source of each. */
    private ByteBuffer layOut(List<SnapshotImage.Part> parts) {
        int triplesBytes = SnapshotImage.PARTS_MAX * TRIPLE * Long.BYTES;
        ByteBuffer triples = ByteBuffer.allocateDirect(triplesBytes).order(ByteOrder.LITTLE_ENDIAN);
        long offset = LANE_BYTES;
        for (SnapshotImage.Part part : parts) {
            long bytes = part.bytes().remaining();
            files.put(part.name(), new long[] {offset, bytes});
            triples.putLong(offset).putLong(bytes).putLong(part.kind().index());
            offset = aligned(offset + bytes);
        }
        return triples.clear();
    }

    /** Copies while the one before may still be drafted from, and returns when all of it is there. */
    private void fill(SnapshotImage image, ResidentSnapshot before, KernelModule kernels, CUstream stream) {
        ByteBuffer triples = layOut(image.parts());
        policy.upload(0, PolicyImage.of(image.weights()), stream);
        for (SnapshotImage.Part part : image.parts()) {
            long[] place = files.get(part.name());
            long[] known = before == null ? null : before.files.get(part.name());
            if (known != null && known[1] == place[1]) {
                lane.copy(place[0], before.lane, known[0], place[1], stream);
            } else {
                lane.upload(place[0], part.bytes().duplicate(), stream);
            }
        }
        open(image.parts().size(), triples, kernels, stream);
    }

    /** Lets the device read the files' headers, and waits for what it says. */
    private void open(int parts, ByteBuffer triples, KernelModule kernels, CUstream stream) {
        ByteBuffer header = ByteBuffer.allocateDirect(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        DeviceMemory places = new DeviceMemory(triples.remaining());
        owned.add(places::close);
        places.upload(0, triples, stream);
        KernelModule.Shape one = new KernelModule.Shape(1, 1, 1, 0);
        kernels.launch("tailrace_open_lane", one, stream, lane.address(), places.address(), parts);
        lane.download(header, stream);
        Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
        if (header.getInt(4) != 0) {
            throw new IllegalArgumentException("the device refused the snapshot's files, flags " + header.getInt(4)
                    + " (1: no segment of version 1, 2: a section outside its file); the live snapshot stays");
        }
    }
}
