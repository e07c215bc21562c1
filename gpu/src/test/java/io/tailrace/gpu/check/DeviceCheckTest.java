package io.tailrace.gpu.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.gpu.Kernels;
import io.tailrace.gpu.driver.DeviceTimes;
import io.tailrace.testkit.StandInDriver;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of a machine with a GPU, rehearsed: so that it is ready when one is there. */
class DeviceCheckTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void loadStandIn() throws Exception {
        assumeTrue(StandInDriver.load(), "g++ is not installed (Debian: apt-get install g++)");
    }

    @Test
    void equalRunsGiveEqualBytes() throws IOException {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        String said = new EqualityRun(folder, new DataOutputStream(first)).run(400);
        assertThat(new EqualityRun(folder, new DataOutputStream(second)).run(400))
                .isEqualTo(said);
        assertThat(said)
                .contains("equal to Java's bit for bit", "snapshots swapped meanwhile")
                .doesNotContain(" 0 tokens accepted", " 0 snapshots");
        assertThat(second.toByteArray()).isEqualTo(first.toByteArray());
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void timesAreReportedForEachBatchBesideTheCeilings() throws IOException {
        Path file = folder.resolve("report.md");
        Path chase = Files.write(folder.resolve("chase.fatbin"), Kernels.binary());
        new DeviceTimes(new CheckReport(file), folder, chase, true, 600).run(List.of(20_000));
        assertThat(Files.readString(file))
                .contains("Requests that join", "\n| 2048 | 8 | ")
                .contains("| dependent load, main memory, ns | ", "A lane of 20,000 tokens", "\n| 8 | ")
                .doesNotContain("NaN", "NOT RUN");
        assertThat(StandInDriver.held()).isZero();
    }

    @Test
    void whatWouldTakeTooLongIsLeftOutAndSaidSo() throws IOException {
        Path file = folder.resolve("report.md");
        Path chase = Files.write(folder.resolve("chase.fatbin"), Kernels.binary());
        new DeviceTimes(new CheckReport(file), folder, chase, true, 0).run(List.of(5_000));
        assertThat(Files.readString(file))
                .contains("A lane of 5,000 tokens", "NOT RUN: it would take")
                .doesNotContain("NaN");
        assertThat(StandInDriver.held()).isZero();
    }
}
