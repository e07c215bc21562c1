package io.tailrace.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.lab.chaos.DoneFaults;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Five minutes of faults that a seed decides, on processes: each is done that can be, and no promise is broken. */
@Tag("full")
class ChaosIT {
    private static final long SEED = 20_261_124L;

    @TempDir
    private Path folder;

    @Test
    void fiveMinutesOfChaosBreakNoPromise() throws Exception {
        DoneFaults here = DoneFaults.here(folder);
        Path json = folder.resolve("chaos.json");
        CommandLine tailrace = Tailrace.commandLine();
        tailrace.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        int exit = tailrace.execute(
                "chaos",
                "--seed",
                Long.toString(SEED),
                "--minutes",
                "5",
                "--folder",
                folder.resolve("chaos").toString(),
                "--json",
                json.toString());
        assertThat(exit).as("seed %d; what was broken stands above", SEED).isEqualTo(ExitCodes.DONE);
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        System.out.println("left out, since this machine cannot do it: " + DoneFaults.leftOut(report));
        assertThat(here.wrong(report))
                .as("seed %d on a machine with %s", SEED, here)
                .isEmpty();
    }
}
