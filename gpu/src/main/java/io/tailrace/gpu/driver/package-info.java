/**
 * {@link io.tailrace.gpu.DraftDevice} on an NVIDIA driver, by jcuda's driver API: needs {@code libcuda} alone, no toolkit.
 *
 * <p>The main type is {@link io.tailrace.gpu.driver.CudaDevice}; {@link io.tailrace.gpu.driver.CudaProbe} says whether there is a
 * usable GPU, and why not. Nothing outside this package sees a pointer of the driver or loads it.
 *
 * <p>It shares the device's primary context, so memory of other libraries in the process can be used by address.
 */
package io.tailrace.gpu.driver;
