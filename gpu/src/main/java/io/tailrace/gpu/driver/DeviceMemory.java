package io.tailrace.gpu.driver;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** One allocation on the device; freed once, by its owner. */
public final class DeviceMemory implements AutoCloseable {
    private final CUdeviceptr pointer = new CUdeviceptr();
    private final long bytes;
    private boolean open = true;

    DeviceMemory(long bytes) {
        this.bytes = bytes;
        Driver.check("cuMemAlloc", JCudaDriver.cuMemAlloc(pointer, bytes));
    }

    public long bytes() {
        return bytes;
    }

    /** Its address on the device. */
    public long address() {
        return Address.of(pointer);
    }

    CUdeviceptr pointer() {
        return pointer;
    }

    CUdeviceptr at(long offset) {
        return pointer.withByteOffset(offset);
    }

    /** Copies a direct buffer's remaining bytes to an offset, and waits. */
    public void upload(long offset, ByteBuffer from) {
        requireInside(offset, from.remaining());
        Driver.check("cuMemcpyHtoD", JCudaDriver.cuMemcpyHtoD(at(offset), direct(from), from.remaining()));
    }

    /** Queues a copy of a direct buffer's remaining bytes. The buffer must be reachable until it is done. */
    void upload(long offset, ByteBuffer from, CUstream stream) {
        requireInside(offset, from.remaining());
        Driver.check(
                "cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(at(offset), direct(from), from.remaining(), stream));
    }

    /** Copies bytes from an offset into a direct buffer, and waits. */
    public void download(long offset, ByteBuffer into) {
        requireInside(offset, into.remaining());
        Driver.check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(direct(into), at(offset), into.remaining()));
    }

    /** Queues a copy of bytes from an offset into a direct buffer. */
    void download(long offset, ByteBuffer into, CUstream stream) {
        requireInside(offset, into.remaining());
        Driver.check(
                "cuMemcpyDtoHAsync", JCudaDriver.cuMemcpyDtoHAsync(direct(into), at(offset), into.remaining(), stream));
    }

    /** Queues a copy within the device. */
    void copy(long offset, DeviceMemory from, long fromOffset, long count, CUstream stream) {
        requireInside(offset, count);
        from.requireInside(fromOffset, count);
        Driver.check(
                "cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(at(offset), from.at(fromOffset), count, stream));
    }

    private static Pointer direct(Buffer buffer) {
        return Pointer.toBuffer(buffer);
    }

    private void requireInside(long offset, long count) {
        if (offset < 0 || count < 0 || offset > bytes - count) {
            throw new IndexOutOfBoundsException(
                    "bytes [" + offset + ", " + (offset + count) + ") must lie in an allocation of " + bytes);
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            Driver.check("cuMemFree", JCudaDriver.cuMemFree(pointer));
        }
    }

    /** A device pointer as a number: jcuda shows it to subclasses only. */
    private static final class Address extends CUdeviceptr {
        private Address(CUdeviceptr pointer) {
            super(pointer);
        }

        static long of(CUdeviceptr pointer) {
            Address address = new Address(pointer);
            return address.getNativePointer() + address.getByteOffset();
        }
    }
}
