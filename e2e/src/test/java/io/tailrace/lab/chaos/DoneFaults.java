package io.tailrace.lab.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a report of {@code chaos} says was done, held against what its seed draws and what this machine can do. A fault may be left out only where it
 * cannot be done.
 *
 * @param disks whether a disk can be mounted here
 * @param clocks whether there is a C compiler, which clocks that can be set need
 */
public record DoneFaults(boolean disks, boolean clocks) {
    /** A machine on which a recovery takes longest gets through so many. */
    private static final int A_MINUTE_MIN = 1;

    /** What this machine can do, found without {@code chaos}. */
    public static DoneFaults here(Path folder) throws IOException, InterruptedException {
        String disk = Files.createDirectories(folder.resolve("disk")).toString();
        boolean disks = ends("mount", "-t", "tmpfs", "tailrace-probe", disk) && ends("umount", disk);
        return new DoneFaults(disks, ends("cc", "--version"));
    }

    private static boolean ends(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    /** Faults that were left out, each with why. */
    public static List<String> leftOut(JsonNode report) {
        List<String> leftOut = new ArrayList<>();
        for (JsonNode fault : report.get("faults")) {
            if (!why(fault).isEmpty()) {
                leftOut.add(kind(fault).word() + ": " + why(fault));
            }
        }
        return leftOut;
    }

    /** In what the report is not what it should be, in words; none: all that the seed draws was done, as far as it can be. */
    public List<String> wrong(JsonNode report) {
        JsonNode faults = report.get("faults");
        List<String> wrong = new ArrayList<>();
        int minutes = report.get("minutes").asInt();
        if (faults.size() < minutes * A_MINUTE_MIN) {
            wrong.add("%d faults in %d minutes".formatted(faults.size(), minutes));
        }
        List<PlannedFault> drawn = Schedule.draw(
                        report.get("seed").asLong(), List.of(FaultKind.values()), faults.size())
                .faults();
        for (int i = 0; i < drawn.size(); i++) {
            check(drawn.get(i), faults.get(i), wrong);
        }
        return wrong;
    }

    private void check(PlannedFault drawn, JsonNode fault, List<String> wrong) {
        String word = drawn.kind().word();
        double lasted = fault.get("healedSeconds").asDouble()
                - fault.get("beganSeconds").asDouble();
        if (kind(fault) != drawn.kind()) {
            wrong.add(
                    "the seed draws %s, there is %s".formatted(word, kind(fault).word()));
        } else if (can(drawn.kind()) && !why(fault).isEmpty()) {
            wrong.add("%s was left out, which this machine can do: %s".formatted(word, why(fault)));
        } else if (!can(drawn.kind()) && why(fault).isEmpty()) {
            wrong.add(word + " counts as done, which this machine cannot do");
        } else if (why(fault).isEmpty() && lasted < drawn.seconds()) {
            wrong.add("%s lasted %.1f s, the seed draws %d".formatted(word, lasted, drawn.seconds()));
        }
    }

    private boolean can(FaultKind kind) {
        return switch (kind) {
            case FULL_STORE, FULL_TASKS, FULL_WORKER, FULL_BROKER -> disks;
            case CLOCK_OFF_90_SECONDS_JOB,
                    CLOCK_OFF_A_DAY_JOB,
                    CLOCK_OFF_90_SECONDS_WORKER,
                    CLOCK_OFF_A_DAY_WORKER,
                    CLOCK_OFF_90_SECONDS_BROKER,
                    CLOCK_OFF_A_DAY_BROKER -> clocks;
            default -> true;
        };
    }

    private static FaultKind kind(JsonNode fault) {
        return FaultKind.valueOf(fault.get("kind").asText());
    }

    private static String why(JsonNode fault) {
        return fault.get("leftOut").asText();
    }
}
