package io.tailrace.gpu.check;

import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.driver.CudaDevice;
import io.tailrace.gpu.driver.DeviceMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A pass's inputs in a device's memory, planned with seats of random widths: token ids, positions, then cells. */
final class CheckedPass implements AutoCloseable {
    private static final byte UNTOUCHED = 77;

    private final List<PassInputs.Seat> seats = new ArrayList<>();
    private final DeviceMemory memory;
    private int rows = 1;
    private int cells = 1;

    /** A seat for each context of these lengths, with gaps that nobody may write into. */
    CheckedPass(CudaDevice device, SplittableRandom random, int[] lengths) {
        for (int length : lengths) {
            int width = random.nextInt(device.limits().budgetMax() + 1);
            int columns = width + random.nextInt(5);
            seats.add(new PassInputs.Seat(cells, rows, width, columns, length - 1));
            rows += width + random.nextInt(2);
            cells += width * columns + random.nextInt(3);
        }
        rows++;
        cells++;
        byte[] untouched = new byte[2 * rows * Long.BYTES + cells];
        Arrays.fill(untouched, UNTOUCHED);
        memory = device.reserve(untouched.length);
        memory.upload(
                0, ByteBuffer.allocateDirect(untouched.length).put(untouched).flip());
    }

    int width(int entry) {
        return seats.get(entry).width();
    }

    PassInputs inputs() {
        long positions = memory.address() + (long) rows * Long.BYTES;
        long blocked = positions + (long) rows * Long.BYTES;
        return new PassInputs("cuda:0", memory.address(), positions, blocked, CheckedLanes.VOCABULARY, seats);
    }

    ByteBuffer read() {
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) memory.bytes());
        memory.download(0, bytes.duplicate());
        return bytes;
    }

    @Override
    public void close() {
        memory.close();
    }
}
