package io.tailrace.gpu.check;

import io.tailrace.gpu.driver.CudaProbe;
import io.tailrace.gpu.driver.DeviceTimes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The Java part of {@code gpu/device-check.sh}.
 *
 * <pre>
 * equal REPORT FILE DRAFTS       drafts, compares with Java, and writes all that came back to FILE
 * times REPORT CHASE SECONDS SEGMENTS...
 *                                latency by batch for segments of so many tokens, beside the device's ceilings; what would not end
 *                                within so many seconds is left out
 * </pre>
 *
 * <p>With the property {@code tailrace.standIn}, a library's path, it runs on the stand-in driver.
 */
public final class DeviceCheck {
    private DeviceCheck() {}

    public static void main(String[] arguments) throws IOException {
        String standIn = System.getProperty("tailrace.standIn");
        if (standIn != null) {
            System.load(Path.of(standIn).toAbsolutePath().toString());
        }
        CudaProbe probe = CudaProbe.look();
        CheckReport report = new CheckReport(Path.of(arguments[1]));
        if (!probe.usable()) {
            report.line("NOT RUN: " + probe.reason());
            System.exit(1);
        }
        Path folder = Files.createTempDirectory("tailrace-check");
        switch (arguments[0]) {
            case "equal" -> equal(report, folder, Path.of(arguments[2]), Long.parseLong(arguments[3]));
            case "times" -> {
                List<Integer> segments =
                        Arrays.stream(arguments).skip(4).map(Integer::valueOf).toList();
                int seconds = Integer.parseInt(arguments[3]);
                new DeviceTimes(report, folder, Path.of(arguments[2]), standIn != null, seconds).run(segments);
            }
            default -> throw new IllegalArgumentException("equal or times, got " + arguments[0]);
        }
    }

    private static void equal(CheckReport report, Path folder, Path file, long drafts) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            report.line(new EqualityRun(folder, out).run(drafts) + ".");
        }
    }
}
