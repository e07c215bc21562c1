package io.tailrace.gpu.driver;

import io.tailrace.gpu.PolicyImage;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.gpu.VocabularyImage;
import io.tailrace.suffix.LaneVocabulary;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * One snapshot on the device, in one block of memory: the policy's image, places, and the lane, which is a record, the vocabulary and the
 * files as they are. What the snapshot before holds is copied within the device. Owned by {@link CudaDevice}, which lets it go
 * after its last step; the block is its owner's to use again.
 *
 * <p>A file's text has an id that comes of its name, so that requests which follow an answer in it find it again in another block, as
 * another part, and find that it is gone when it is. Two names of one lane with one id are not to be expected (64 bits of their SHA-256).
 */
final class ResidentSnapshot implements AutoCloseable {
    /** Size of {@code struct Lane}. */
    private static final int LANE_BYTES = 320;

    private static final int ALIGNMENT = 64;
    /** Size of {@code struct LanePlaces}. */
    private static final int PLACES_BYTES = (2 + SnapshotImage.PARTS_MAX * 4) * Long.BYTES;

    private static final long PLACES = aligned(PolicyImage.BYTES);
    private static final long LANE = aligned(PLACES + PLACES_BYTES);
    /** The vocabulary's place in the lane. */
    private static final long VOCABULARY = aligned(LANE_BYTES);

    private final Map<String, long[]> files = new HashMap<>();
    private final Closings owned = new Closings();
    private final DeviceMemory block;
    private final LaneVocabulary vocabulary;
    private final CUevent lastStep = new CUevent();
    private final float probabilityFloor;
    /** Copied from until the upload has ended: not to be collected before. */
    private final List<ByteBuffer> sources = new ArrayList<>();

    /**
     * Copies while the one before may still be drafted from, and returns when all of it is there.
     *
     * @param block of at least {@link #bytes}; not closed with this
     * @param before what may be copied from, or null
     */
    ResidentSnapshot(
            SnapshotImage image, DeviceMemory block, ResidentSnapshot before, KernelModule kernels, CUstream stream) {
        this.block = block;
        vocabulary = image.vocabulary();
        probabilityFloor = image.probabilityFloor();
        try {
            int flags = CUevent_flags.CU_EVENT_DISABLE_TIMING;
            Driver.check("cuEventCreate", JCudaDriver.cuEventCreate(lastStep, flags));
            owned.add(() -> Driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(lastStep)));
            fill(image, before, kernels, stream);
        } catch (RuntimeException e) {
            owned.add(() -> Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream)));
            throw owned.closeAfter(e);
        } finally {
            Reference.reachabilityFence(sources);
        }
        sources.clear();
    }

    /** Size of a block that takes a snapshot. */
    static long bytes(SnapshotImage image) {
        long bytes = LANE + files(image);
        for (SnapshotImage.Part part : image.parts()) {
            bytes = aligned(bytes + part.bytes().remaining());
        }
        return bytes;
    }

    /** Where the files begin in the lane. */
    private static long files(SnapshotImage image) {
        return aligned(VOCABULARY + VocabularyImage.bytes(image.vocabulary()));
    }

    DeviceMemory block() {
        return block;
    }

    float probabilityFloor() {
        return probabilityFloor;
    }

    long laneAddress() {
        return block.address() + LANE;
    }

    long policyAddress() {
        return block.address();
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

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Gives each file its place; returns those of the vocabulary and of each file, with its source and its text's id. */
    private ByteBuffer layOut(SnapshotImage image) {
        ByteBuffer places = ByteBuffer.allocateDirect(PLACES_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        places.putLong(VOCABULARY).putLong(VocabularyImage.bytes(image.vocabulary()));
        long offset = files(image);
        for (SnapshotImage.Part part : image.parts()) {
            long bytes = part.bytes().remaining();
            files.put(part.name(), new long[] {offset, bytes});
            places.putLong(offset).putLong(bytes).putLong(part.kind().index()).putLong(textId(part.name()));
            offset = aligned(offset + bytes);
        }
        return places.clear();
    }

    private void fill(SnapshotImage image, ResidentSnapshot before, KernelModule kernels, CUstream stream) {
        upload(PLACES, layOut(image), stream);
        upload(0, PolicyImage.of(image.weights()), stream);
        fillVocabulary(before, stream);
        for (SnapshotImage.Part part : image.parts()) {
            long[] place = files.get(part.name());
            long[] known = before == null ? null : before.files.get(part.name());
            if (known != null && known[1] == place[1]) {
                block.copy(LANE + place[0], before.block, LANE + known[0], place[1], stream);
            } else {
                upload(LANE + place[0], part.bytes().duplicate(), stream);
            }
        }
        open(image.parts().size(), kernels, stream);
    }

    private void fillVocabulary(ResidentSnapshot before, CUstream stream) {
        if (before != null && before.vocabulary == vocabulary) {
            long bytes = VocabularyImage.bytes(vocabulary);
            block.copy(LANE + VOCABULARY, before.block, LANE + VOCABULARY, bytes, stream);
        } else {
            upload(LANE + VOCABULARY, VocabularyImage.of(vocabulary), stream);
        }
    }

    private static long textId(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private void upload(long offset, ByteBuffer from, CUstream stream) {
        sources.add(from);
        block.upload(offset, from, stream);
    }

    /** Lets the device read the files' headers, and waits for what it says. */
    private void open(int parts, KernelModule kernels, CUstream stream) {
        ByteBuffer header = ByteBuffer.allocateDirect(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        sources.add(header);
        KernelModule.Shape one = new KernelModule.Shape(1, 1, 1, 0);
        kernels.launch("tailrace_open_lane", one, stream, laneAddress(), block.address() + PLACES, parts);
        block.download(LANE, header, stream);
        Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream));
        if (header.getInt(4) != 0) {
            throw new IllegalArgumentException(
                    "the device refused the snapshot's files, flags " + header.getInt(4)
                            + " (1: no segment of version 1, 2: a section outside its file, 8: no vocabulary); the live snapshot stays");
        }
    }
}
