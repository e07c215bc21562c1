package io.tailrace.gpu;

/** A device refused a call. What was resident before stays; see {@link DeviceLostException} for when nothing does. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int OUT_OF_MEMORY = 2;

    private final String call;
    private final int code;

    DeviceException(String call, int code, String message) {
        super(message);
        this.call = call;
        this.code = code;
    }

    /**
     * A refusal.
     *
     * @param call the driver's function
     * @param code its CUresult
     * @param name the code's name
     * @return a {@link DeviceLostException} where the code says so
     */
    public static DeviceException of(String call, int code, String name) {
        String message = call + " gave " + code + " (" + name + ")";
        return DeviceLostException.CODES.contains(code)
                ? new DeviceLostException(call, code, message)
                : new DeviceException(call, code, message);
    }

    public String call() {
        return call;
    }

    public int code() {
        return code;
    }

    /** Whether there was no memory, which may pass. */
    public boolean isOutOfMemory() {
        return code == OUT_OF_MEMORY;
    }
}
