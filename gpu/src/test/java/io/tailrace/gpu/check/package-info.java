/**
 * What {@code gpu/device-check.sh} runs on a machine with a GPU, and rehearses on the stand-in driver: the report and its data. What
 * times kernels is in {@code io.tailrace.gpu.driver}, beside the binding.
 */
package io.tailrace.gpu.check;
