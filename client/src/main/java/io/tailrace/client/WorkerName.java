package io.tailrace.client;

/** What a worker and its class may be called: names are keys of records and parts of other names. */
public final class WorkerName {
    public static final int CHARS_MAX = 200;

    private WorkerName() {}

    /**
     * The name, if it is one.
     *
     * @param what it is the name of, for the message
     * @throws IllegalArgumentException if it is blank, longer than {@link #CHARS_MAX} or has a '#'
     */
    public static String checked(String what, String name) {
        if (name == null || name.isBlank() || name.length() > CHARS_MAX || name.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters and no '#', got '%s'".formatted(what, CHARS_MAX, name));
        }
        return name;
    }
}
