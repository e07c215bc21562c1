package io.tailrace.cli.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processor time that threads of another JVM have taken which its profile by samples of Java threads does not show, by what Linux tells of them.
 *
 * @param compilerSeconds of the JVM's compilers; a process that runs for days has little of it
 * @param recorderSeconds of Flight Recorder, which is there for the measurement's sake
 */
record ThreadTime(double compilerSeconds, double recorderSeconds) {
    private static final double TICKS_PER_SECOND = 100;
    private static final int AT_USER_TICKS = 11;
    private static final int AT_SYSTEM_TICKS = 12;
    /** How their names begin; Linux knows the first fifteen characters. */
    private static final List<String> COMPILERS = List.of("C1 Compiler", "C2 Compiler");

    private static final List<String> RECORDERS = List.of("JFR ");

    /** So far; none where the system does not tell. */
    static Optional<ThreadTime> of(long pid) {
        try (Stream<Path> listed = Files.list(Path.of("/proc/" + pid + "/task"))) {
            List<Path> threads = listed.toList();
            return Optional.of(new ThreadTime(seconds(threads, COMPILERS), seconds(threads, RECORDERS)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    ThreadTime since(ThreadTime before) {
        return new ThreadTime(compilerSeconds - before.compilerSeconds, recorderSeconds - before.recorderSeconds);
    }

    private static double seconds(List<Path> threads, List<String> names) {
        return threads.stream().mapToLong(thread -> ticks(thread, names)).sum() / TICKS_PER_SECOND;
    }

    /** 0 for threads of other names, and for those that have just ended. */
    private static long ticks(Path thread, List<String> names) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int end = stat.lastIndexOf(')');
            String name = stat.substring(stat.indexOf('(') + 1, end);
            if (names.stream().noneMatch(name::startsWith)) {
                return 0;
            }
            List<String> fields = List.of(stat.substring(end + 2).split(" ", AT_SYSTEM_TICKS + 2));
            return Long.parseLong(fields.get(AT_USER_TICKS)) + Long.parseLong(fields.get(AT_SYSTEM_TICKS));
        } catch (IOException e) {
            return 0;
        }
    }
}
