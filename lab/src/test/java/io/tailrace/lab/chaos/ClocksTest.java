package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClocksTest {
    private static final long DAY_SECONDS = 86_400;

    @TempDir
    private Path folder;

    /** Where no compiler is, the faults are left out by name. */
    @Test
    void aProcessSeesTheTimeThatItsClockIsSetToOrWeSayWhyNot() throws Exception {
        Clocks clocks = new Clocks(folder);
        Map<String, String> environment = clocks.environment("date");
        if (clocks.impossible().isPresent()) {
            assertThat(environment).isEmpty();
            assertThat(clocks.impossible().get()).contains("compile");
            return;
        }
        long before = System.currentTimeMillis() / 1_000;
        assertThat(date(environment)).isBetween(before, before + 60);
        clocks.set("date", DAY_SECONDS);
        assertThat(date(environment)).isBetween(before + DAY_SECONDS, before + DAY_SECONDS + 60);
        clocks.set("date", -DAY_SECONDS);
        assertThat(date(environment)).isBetween(before - DAY_SECONDS, before - DAY_SECONDS + 60);
    }

    private static long date(Map<String, String> environment) throws Exception {
        ProcessBuilder date = new ProcessBuilder("date", "+%s");
        date.environment().putAll(environment);
        Process process = date.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(said.strip());
    }
}
