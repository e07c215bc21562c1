package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.Kernels;
import jcuda.driver.JCudaDriver;

/**
 * Looks once whether there is a GPU to draft on.
 *
 * @param usable whether there is
 * @param devices how many GPUs the driver knows
 * @param reason what was found, for people
 */
public record CudaProbe(boolean usable, int devices, String reason) {
    /** Where nobody asked for a GPU. */
    public static final CudaProbe NOT_LOOKED = new CudaProbe(false, 0, "not looked for");

    /** Looks. Never throws for what is missing. */
    public static CudaProbe look() {
        try {
            Driver.start();
            return judge(driverVersion(), deviceCount());
        } catch (DeviceException e) {
            return new CudaProbe(false, 0, "the NVIDIA driver does not start: " + e.getMessage());
        } catch (LinkageError e) {
            return new CudaProbe(false, 0, "no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded)");
        }
    }

    /** What a driver and so many GPUs are good for. */
    static CudaProbe judge(int driverVersion, int devices) {
        int needed = releaseNumber(Kernels.compilerRelease());
        if (driverVersion < needed) {
            return new CudaProbe(
                    false,
                    devices,
                    "the driver knows CUDA " + release(driverVersion) + ", the kernels need " + release(needed)
                            + "; update the driver, or run gpu/build.sh with your own nvcc");
        }
        if (devices == 0) {
            return new CudaProbe(false, 0, "the NVIDIA driver knows no GPU");
        }
        return new CudaProbe(true, devices, devices + " GPU, driver for CUDA " + release(driverVersion));
    }

    private static int driverVersion() {
        int[] version = new int[1];
        Driver.check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return version[0];
    }

    private static int deviceCount() {
        int[] count = new int[1];
        Driver.check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
        return count[0];
    }

    private static int releaseNumber(String release) {
        int point = release.indexOf('.');
        return 1000 * Integer.parseInt(release, 0, point, 10)
                + 10 * Integer.parseInt(release, point + 1, release.length(), 10);
    }

    private static String release(int number) {
        return number / 1000 + "." + number % 1000 / 10;
    }
}
