package io.tailrace.local.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/** What the processes of a cluster are: a JVM each, with this one's class path. */
public final class FlinkParts {
    private final FlinkPlace place;

    public FlinkParts(FlinkPlace place) {
        this.place = place;
    }

    /**
     * A Java program.
     *
     * @param jvm options
     */
    public record Part(String name, List<String> jvm, Class<?> main, List<String> arguments) {
        public Part {
            jvm = List.copyOf(jvm);
            arguments = List.copyOf(arguments);
        }
    }

    public Part jobManager(String name) {
        return new Part(
                name,
                List.of("-Xmx320m", "-XX:MaxMetaspaceSize=256m"),
                StandaloneSessionClusterEntrypoint.class,
                arguments());
    }

    public Part taskManager(String name) {
        List<String> arguments = arguments();
        arguments.add("-Dtaskmanager.resource-id=" + name);
        return new Part(
                name,
                List.of(
                        "-Xms" + place.heapMegabytes() + "m",
                        "-Xmx" + place.heapMegabytes() + "m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:G1HeapRegionSize=8m"),
                TaskManagerRunner.class,
                arguments);
    }

    private List<String> arguments() {
        List<String> arguments =
                new ArrayList<>(List.of("--configDir", place.configuration().toString()));
        arguments.addAll(FlinkSettings.process(place));
        return arguments;
    }
}
