package io.tailrace.local.cluster;

import java.nio.file.Path;

/**
 * Where a cluster on this machine has what.
 *
 * @param configuration folder with {@code config.yaml}
 * @param state folder of checkpoints and savepoints
 * @param tasks folder of TaskManagers' temporary files
 * @param heapMegabytes of each TaskManager
 */
public record FlinkPlace(Path configuration, Path state, Path tasks, int restPort, int rpcPort, int heapMegabytes) {
    /** Of each TaskManager. */
    public static final int SLOTS = 2;

    private static final int HEAP_MEGABYTES_MIN = 256;

    public FlinkPlace {
        if (heapMegabytes < HEAP_MEGABYTES_MIN) {
            throw new IllegalArgumentException(
                    "heapMegabytes must be at least %d, got %d".formatted(HEAP_MEGABYTES_MIN, heapMegabytes));
        }
    }
}
