package io.tailrace.lab.bench.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process has taken of the machine's memory, as Linux tells. */
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PEAK = "VmHWM:";
    private static final long KIBIBYTE = 1_024;

    private ResidentMemory() {}

    /** The most that this process ever had resident, bytes; 0 where the system does not tell. */
    static long peakBytes() throws IOException {
        return Files.exists(STATUS) ? peakBytes(Files.readAllLines(STATUS)) : 0;
    }

    /** The same of a process's status. */
    static long peakBytes(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith(PEAK))
                .mapToLong(line -> KIBIBYTE * Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }
}
