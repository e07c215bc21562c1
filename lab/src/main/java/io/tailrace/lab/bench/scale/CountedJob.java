package io.tailrace.lab.bench.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.local.LocalFlink;
import io.tailrace.local.LocalJob;
import io.tailrace.operators.store.FlinkFileStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * The job as {@code tailrace job} runs it, in a process of its own, with a store that is counted. Its first argument is a folder, the others are the
 * job's. It answers each line of its input with a {@link JobUse} in JSON, and ends with its input.
 */
final class CountedJob {
    /** Begins each answer; what else is on the output is the log. */
    static final String ANSWER = "use: ";
    /** Asks for the live heap, too. */
    static final String WITH_HEAP = "heap";

    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private CountedJob() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        IndexJobOptions options = IndexJobOptions.parse(Arrays.copyOfRange(arguments, 1, arguments.length));
        try (LocalFlink flink = LocalFlink.start(LocalFlink.Options.in(Path.of(arguments[0]), 0))) {
            LocalJob job = flink.submit(
                    IndexJob.NAME,
                    environment -> IndexJob.build(
                            environment, options, CountingStore.around(FlinkFileStore.factory(options.store()))));
            job.awaitRunning(START_MAX);
            job.awaitCheckpoint(START_MAX);
            answer(job, System.in, System.out);
            job.cancel();
        }
    }

    private static void answer(LocalJob job, InputStream in, OutputStream out) throws IOException {
        PrintWriter answers = new PrintWriter(out, true, StandardCharsets.UTF_8);
        answers.println(ANSWER + JSON.writeValueAsString(use(job, false)));
        BufferedReader questions = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            answers.println(ANSWER + JSON.writeValueAsString(use(job, line.equals(WITH_HEAP))));
        }
    }

    private static JobUse use(LocalJob job, boolean withHeap) throws IOException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long cpuNanos = system.getProcessCpuTime();
        long heapBytes = 0;
        if (withHeap) {
            ManagementFactory.getMemoryMXBean().gc();
            heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
        return CountingStore.use(cpuNanos, heapBytes, ResidentMemory.peakBytes(), job.checkpointBytes());
    }
}
