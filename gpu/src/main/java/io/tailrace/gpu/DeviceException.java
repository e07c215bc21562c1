package io.tailrace.gpu;

/** A device refused a call. What was resident before stays; after an illegal address the whole device must be opened anew. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String call;
    private final int code;

    /**
     * A refusal.
     *
     * @param call the driver's function
     * @param code its CUresult
     * @param name the code's name
     */
    public DeviceException(String call, int code, String name) {
        super(call + " gave " + code + " (" + name + ")");
        this.call = call;
        this.code = code;
    }

    public String call() {
        return call;
    }

    public int code() {
        return code;
    }
}
