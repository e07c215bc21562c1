package io.tailrace.gpu.driver;

import jcuda.driver.CUdeviceptr;

/** A device pointer as a number: jcuda shows it to subclasses only. */
final class Address extends CUdeviceptr {
    private Address(CUdeviceptr pointer) {
        super(pointer);
    }

    static long of(CUdeviceptr pointer) {
        Address address = new Address(pointer);
        return address.getNativePointer() + address.getByteOffset();
    }
}
