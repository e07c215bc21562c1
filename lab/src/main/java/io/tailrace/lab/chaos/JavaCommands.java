package io.tailrace.lab.chaos;

import io.tailrace.local.EmbeddedBroker;
import io.tailrace.local.cluster.ChildProcess;
import io.tailrace.local.cluster.FlinkParts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

    ChildProcess.Command part(FlinkParts.Part part) throws IOException {
        return java(part.name(), part.jvm(), part.main(), part.arguments());
    }

    ChildProcess.Command worker(String name, long seed, String bootstrap, URI store) throws IOException {
        return java(
                name,
                List.of("-Xmx256m"),
                ChaosWorker.class,
                ChaosWorker.arguments(folders, name, seed, bootstrap, store));
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
