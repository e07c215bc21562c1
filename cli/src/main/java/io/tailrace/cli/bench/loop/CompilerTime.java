package io.tailrace.cli.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Processor time that the compilers of another JVM have taken, by what Linux tells of its threads. A profile by samples of Java threads
 * shows nothing of it, and a process that runs for days has little of it.
 */
final class CompilerTime {
    private static final double TICKS_PER_SECOND = 100;
    private static final int AT_USER_TICKS = 11;
    private static final int AT_SYSTEM_TICKS = 12;

    private CompilerTime() {}

    /** Seconds so far; none where the system does not tell. */
    static OptionalDouble seconds(long pid) {
        long ticks = 0;
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                ticks += ticks(thread);
            }
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(ticks / TICKS_PER_SECOND);
    }

    /** 0 for threads that do not compile, and for those that have just ended. */
    private static long ticks(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int end = stat.lastIndexOf(')');
            String name = stat.substring(stat.indexOf('(') + 1, end);
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
                return 0;
            }
            List<String> fields = List.of(stat.substring(end + 2).split(" ", AT_SYSTEM_TICKS + 2));
            return Long.parseLong(fields.get(AT_USER_TICKS)) + Long.parseLong(fields.get(AT_SYSTEM_TICKS));
        } catch (IOException e) {
            return 0;
        }
    }
}
