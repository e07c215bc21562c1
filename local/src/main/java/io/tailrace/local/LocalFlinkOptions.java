package io.tailrace.local;

import java.nio.file.Path;
import java.util.Map;

/**
 * How the Flink cluster in this process is laid out.
 *
 * @param folder where it keeps checkpoints, savepoints and temporary files
 * @param port of the dashboard and REST API on the loopback address; 0: any free one
 * @param taskManagers at least 1
 * @param slots of each TaskManager, at least 1
 * @param settings further Flink settings by key; they win over the defaults
 */
public record LocalFlinkOptions(Path folder, int port, int taskManagers, int slots, Map<String, String> settings) {
    public LocalFlinkOptions {
        require(port >= 0 && port <= 65535, "port must be 0 to 65535, got %d", port);
        require(taskManagers >= 1, "taskManagers must be at least 1, got %d", taskManagers);
        require(slots >= 1, "slots must be at least 1, got %d", slots);
        settings = Map.copyOf(settings);
    }

    /** One TaskManager with two slots. */
    public static LocalFlinkOptions in(Path folder, int port) {
        return new LocalFlinkOptions(folder, port, 1, 2, Map.of());
    }

    private static void require(boolean holds, String rule, int value) {
        if (!holds) {
            throw new IllegalArgumentException(rule.formatted(value));
        }
    }
}
