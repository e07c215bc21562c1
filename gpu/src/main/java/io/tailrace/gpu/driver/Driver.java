package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceException;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Turns the driver's result codes into exceptions that name the call. */
final class Driver {
    private Driver() {}

    /** Does nothing for code 0. */
    static void check(String call, int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw DeviceException.of(call, code, CUresult.stringFor(code));
        }
    }

    /** Loads the binding and starts the driver. */
    static void start() {
        JCudaDriver.setExceptionsEnabled(false);
        check("cuInit", JCudaDriver.cuInit(0));
    }
}
