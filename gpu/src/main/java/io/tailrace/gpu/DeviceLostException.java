package io.tailrace.gpu;

import java.util.Set;

/**
 * A kernel, ours or another library's, broke the device's context: an illegal address, an assertion, a time-out. The driver answers
 * every further call of the process in the same way, and the memory of all who share the context is gone, a model's weights too. Only
 * a new process gets the device back.
 */
public final class DeviceLostException extends DeviceException {
    private static final long serialVersionUID = 1;

    /** CUresults of which the driver's reference says that the process or its context can do nothing more. */
    static final Set<Integer> CODES = Set.of(226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721);

    DeviceLostException(String call, int code, String refusal) {
        super(call, code, refusal + ": the device is lost to this process, restart it");
    }
}
