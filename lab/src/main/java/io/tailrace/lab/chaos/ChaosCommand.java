package io.tailrace.lab.chaos;

import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.terminal.ExitCodes;
import io.tailrace.terminal.Interruption;
import io.tailrace.terminal.JsonFile;
import io.tailrace.terminal.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailrace chaos}: an installation of real processes, broken again and again, and judged. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Breaks an installation of its own, a broker, a Flink cluster and two workers, each a process, by faults that a seed"
                    + " decides, while the workers serve answers that are known. Then lets it rest and judges it.",
            "Exit code 1: a promise did not hold, or a recovery took too long."
        },
        footerHeading = "%nExample:%n",
        footer = "  tailrace chaos --seed 7 --minutes 5 --json seed-7.json")
public final class ChaosCommand implements Callable<Integer> {
    /** More than any run of the longest time gets through. */
    private static final int FAULTS_A_MINUTE_MAX = 12;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Decides faults and traffic. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Bounds(min = 1, max = 1_440)
    @Option(
            names = "--minutes",
            defaultValue = "5",
            paramLabel = "M",
            description =
                    "How long faults begin; starting, and coming to rest, take some minutes more. Default: ${DEFAULT-VALUE}.")
    private int minutes;

    @Option(
            names = "--fault",
            paramLabel = "NAME",
            description = "Only this kind of fault; repeatable. Default: every kind.")
    private List<String> kinds = List.of();

    @Bounds(min = 1)
    @Option(
            names = "--recovery-seconds",
            defaultValue = "30",
            paramLabel = "N",
            description =
                    "From a fault's end until what it struck works again, at most, for 99 of 100. Default: ${DEFAULT-VALUE}.")
    private long recoverySeconds;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description =
                    "Where everything lies; it must be empty or not exist yet, and stays. Default: a fresh one, deleted at the end.")
    private Path folder;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes it as JSON, too.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        JsonFile.check(json);
        Schedule schedule = Schedule.draw(seed, chosen(), minutes * FAULTS_A_MINUTE_MAX);
        PrintWriter out = spec.commandLine().getOut();
        out.println("seed %d, %d min; as many of these faults, in this order, as there is time for:"
                .formatted(seed, minutes));
        FaultTable.print(schedule, out);
        try (Interruption interruption = Interruption.install();
                WorkFolder work = WorkFolder.open(folder, "chaos")) {
            Thread me = Thread.currentThread();
            interruption.onInterrupt(me::interrupt);
            return run(schedule, work.path(), out);
        }
    }

    private int run(Schedule schedule, Path work, PrintWriter out) throws IOException, InterruptedException {
        RunFolders folders = new RunFolders(work.toAbsolutePath());
        try (Disks disks = folders.make(new Disks(folder != null));
                Installation installation = new Installation(folders, disks, home(), seed, line -> say(out, line))) {
            say(out, "starting; logs in " + folders.logs());
            installation.start();
            try (VersionWatch versions = new VersionWatch(installation.bootstrap())) {
                ChaosRun run = new ChaosRun(installation, versions, line -> say(out, line));
                List<FaultOutcome> outcomes = run.run(schedule, Duration.ofMinutes(minutes));
                say(out, "no more faults; waiting for rest");
                Verdict verdict = new Judge(
                                installation, versions, run, seed, TimeUnit.SECONDS.toMillis(recoverySeconds))
                        .judge(outcomes);
                ChaosReport report = new ChaosReport(seed, minutes, outcomes, Recoveries.of(outcomes), verdict);
                report.print(out);
                JsonFile.write(json, report);
                return verdict.broken().isEmpty() ? ExitCodes.DONE : ExitCodes.FELL_SHORT;
            }
        }
    }

    private static void say(PrintWriter out, String line) {
        out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + line);
        out.flush();
    }

    /** The folder that has {@code deploy}: the launcher's, or one above the current. */
    private static Path home() {
        Path begin = Path.of(System.getProperty(WorkFolder.HOME_PROPERTY, "."))
                .toAbsolutePath()
                .normalize();
        for (Path home = begin; home != null; home = home.getParent()) {
            if (Files.exists(home.resolve("deploy/flink/config.yaml"))) {
                return home;
            }
        }
        throw new BadInputException(
                "deploy/flink/config.yaml is not below %s or a folder above it; start chaos by ./tailrace of a whole checkout"
                        .formatted(begin));
    }

    private List<FaultKind> chosen() {
        if (kinds.isEmpty()) {
            return List.of(FaultKind.values());
        }
        List<FaultKind> chosen = new ArrayList<>();
        for (String word : kinds) {
            chosen.add(Arrays.stream(FaultKind.values())
                    .filter(kind -> kind.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new BadInputException("--fault %s: there is none of that name, only %s"
                            .formatted(
                                    word,
                                    Arrays.stream(FaultKind.values())
                                            .map(FaultKind::word)
                                            .toList()))));
        }
        return chosen;
    }
}
