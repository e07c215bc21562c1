package io.tailrace.lab.chaos;

import io.tailrace.local.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/** How each part is started: a JVM with this one's class path, which writes nowhere but below the run's folder. */
final class JavaCommands {
    private final RunFolders folders;
    private final Clocks clocks;

    JavaCommands(RunFolders folders, Clocks clocks) {
        this.folders = folders;
        this.clocks = clocks;
    }

    ChildProcess.Command broker(int port, List<EmbeddedBroker.Listener> listeners) throws IOException {
        return java(
                Installation.BROKER,
                List.of("-Xmx384m"),
                ChaosBroker.class,
                ChaosBroker.arguments(folders.broker().resolve("data"), port, listeners));
    }

    ChildProcess.Command jobManager(int restPort, int rpcPort) throws IOException {
        return java(
                Installation.JOBMANAGER,
                List.of("-Xmx320m", "-XX:MaxMetaspaceSize=256m"),
                StandaloneSessionClusterEntrypoint.class,
                flink(restPort, rpcPort));
    }

    ChildProcess.Command taskManager(String name, int restPort, int rpcPort) throws IOException {
        List<String> arguments = flink(restPort, rpcPort);
        arguments.add("-Dtaskmanager.resource-id=" + name);
        return java(
                name,
                List.of("-Xms512m", "-Xmx512m", "-XX:MaxDirectMemorySize=256m", "-XX:G1HeapRegionSize=8m"),
                TaskManagerRunner.class,
                arguments);
    }

    ChildProcess.Command worker(String name, long seed, String bootstrap, URI store) throws IOException {
        return java(
                name,
                List.of("-Xmx256m"),
                ChaosWorker.class,
                ChaosWorker.arguments(folders, name, seed, bootstrap, store));
    }

    private List<String> flink(int restPort, int rpcPort) {
        List<String> arguments =
                new ArrayList<>(List.of("--configDir", folders.configuration().toString()));
        arguments.addAll(FlinkSettings.process(folders, restPort, rpcPort));
        return arguments;
    }

    private ChildProcess.Command java(String name, List<String> jvm, Class<?> main, List<String> arguments)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1", // a part that starts again and again is never warm
                "-XX:ErrorFile=" + folders.log(name + "-crash"),
                "-Djava.io.tmpdir=" + folders.temporary(),
                "-Dtailrace.home=" + folders.root(),
                "-Dlog4j2.configurationFile=" + folders.configuration().resolve("log4j2.properties"),
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        words.addAll(jvm);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(arguments);
        return new ChildProcess.Command(name, words, clocks.environment(name), folders.root(), folders.log(name));
    }
}
