package io.tailrace.cli;

import io.tailrace.local.cluster.LocalCluster;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace cluster}: broker, JobManager and TaskManagers on one machine, each part of Flink a process. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a broker and the index job on a Flink cluster of processes on this machine, until Ctrl-C. Then it stops the job with a savepoint.",
            "For trying scale, restarts and rescaling: what ends is started again, and the next start goes on from the newest state, also with another number of TaskManagers."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace cluster --taskmanagers 3")
final class ClusterCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 1_000;

    @Bounds(min = 1, max = 64)
    @Option(
            names = "--taskmanagers",
            defaultValue = "2",
            paramLabel = "N",
            description = "TaskManagers, each a process of about 1.1 GiB with 2 slots. Default: ${DEFAULT-VALUE}.")
    private int taskManagers;

    @Option(
            names = "--folder",
            defaultValue = ".tailrace/cluster",
            paramLabel = "FOLDER",
            description = "Everything that is kept: broker, store, state, logs. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(
            names = "--model",
            defaultValue = "synthetic@1,vocabulary=32768,tokenizer=synthetic-words",
            paramLabel = "NAME@REVISION,vocabulary=N,tokenizer=FINGERPRINT",
            description =
                    "A model of the job; repeatable. Default: ${DEFAULT-VALUE}, of which 'traffic' writes requests.")
    private List<String> models;

    @Bounds(min = 1, max = 65_535)
    @Option(
            names = "--port",
            defaultValue = "8081",
            paramLabel = "P",
            description = "Port of Flink's dashboard. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Bounds(min = 1, max = 65_535)
    @Option(
            names = "--kafka-port",
            defaultValue = "9092",
            paramLabel = "P",
            description = "Port of the broker. Default: ${DEFAULT-VALUE}.")
    private int kafkaPort;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Require.freePort("--port", "127.0.0.1", port);
        Require.freePort("--kafka-port", "127.0.0.1", kafkaPort);
        PrintWriter out = spec.commandLine().getOut();
        LocalCluster.Options options =
                new LocalCluster.Options(folder, settings(), taskManagers, port, kafkaPort, models);
        try (Interruption interruption = Interruption.install();
                LocalCluster cluster = LocalCluster.start(options, line -> say(out, line))) {
            say(
                    out,
                    "--bootstrap %s --store %s   dashboard: http://127.0.0.1:%d/   Ctrl-C stops the job with a savepoint."
                            .formatted(cluster.bootstrap(), options.store(), port));
            tend(cluster, interruption, out);
            say(out, "Savepoint: " + cluster.stop());
        }
        return ExitCodes.DONE;
    }

    private static void tend(LocalCluster cluster, Interruption interruption, PrintWriter out)
            throws IOException, InterruptedException {
        boolean ran = false;
        do {
            cluster.tend();
            boolean runs = cluster.running();
            if (runs && !ran) {
                say(out, "the job runs");
            }
            ran = runs;
        } while (!interruption.await(LOOK_MILLIS));
    }

    private static Path settings() {
        Path settings = Path.of(System.getProperty("tailrace.home", "."), "deploy", "flink");
        if (!Files.isRegularFile(settings.resolve("config.yaml"))) {
            throw new BadInputException(
                    "no %s; start this by the launcher, ./tailrace cluster".formatted(settings.resolve("config.yaml")));
        }
        return settings;
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
