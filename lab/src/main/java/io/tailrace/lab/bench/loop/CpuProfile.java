package io.tailrace.lab.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where a process spent its processor time, by Flight Recorder's samples of running threads. */
final class CpuProfile {
    private CpuProfile() {}

    /** A part of the work, and its share of the samples. */
    record Share(String part, double share) {}

    /** Shares of a recording, largest first; none if it was not written. */
    static List<Share> read(Path recording) throws IOException {
        if (!Files.exists(recording)) {
            return List.of();
        }
        Map<String, Long> samples = new HashMap<>();
        long total = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
                    samples.merge(part(event.getStackTrace().getFrames()), 1L, Long::sum);
                    total++;
                }
            }
        }
        long all = total;
        return samples.entrySet().stream()
                .map(entry -> new Share(entry.getKey(), (double) entry.getValue() / all))
                .sorted(Comparator.comparingDouble(Share::share).reversed())
                .toList();
    }

    /** The outermost part of Tailrace that a stack is in, else whose code it is. */
    private static String part(List<RecordedFrame> frames) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            String type = frames.get(i).getMethod().getType().getName();
            String part = ofTailrace(type);
            if (part != null) {
                return part;
            }
        }
        String top = frames.get(0).getMethod().getType().getName();
        if (top.startsWith("org.apache.kafka")) {
            return "Kafka clients";
        }
        return top.startsWith("org.apache.flink") ? "Flink" : "the rest of the JVM";
    }

    private static String ofTailrace(String type) {
        if (type.startsWith("io.tailrace.operators.admission")) {
            return "admission: decode, check, sample";
        }
        if (type.startsWith("io.tailrace.operators.intake")) {
            return "taking in: repeats, quotas";
        }
        if (type.startsWith("io.tailrace.operators.evaluation")) {
            return "evaluation";
        }
        if (type.startsWith("io.tailrace.operators.drift")) {
            return "drift";
        }
        if (type.startsWith("io.tailrace.operators.publishing")) {
            return "publishing: merges and manifests";
        }
        return type.startsWith("io.tailrace.operators") || type.startsWith("io.tailrace.jobs")
                ? "other operators"
                : null;
    }

    /**
     * Processor time that the threads of another JVM have taken, by parts of the work and by what Linux tells of them: also of those that its
     * profile by samples of Java threads does not show.
     *
     * @param seconds by part; threads of no part are left out
     */
    record ThreadTime(Map<String, Double> seconds) {
        static final String COMPILERS = "the JVM's compilers";
        static final String RECORDER = "Flight Recorder, not charged";
        private static final String REST = "the rest: Flink, publisher, drift";

        private static final double TICKS_PER_SECOND = 100;
        private static final int AT_USER_TICKS = 11;
        private static final int AT_SYSTEM_TICKS = 12;
        /** By how the names of threads begin; Linux knows the first fifteen characters. */
        private static final Map<String, String> PARTS = Map.ofEntries(
                Map.entry("tailrace-merge", "merges"),
                Map.entry("tailrace-evalua", "evaluation: mapping announced versions, drafting, learning, trials"),
                Map.entry("shard intake", "taking in: repeats, quotas"),
                Map.entry("Source Data Fet", "reading from Kafka, decoding, admission"),
                Map.entry("Source: generat", "reading from Kafka, decoding, admission"),
                Map.entry("admission", "reading from Kafka, decoding, admission"),
                Map.entry("AsyncOperations", "checkpoints: state written aside"),
                Map.entry("jobmanager-io-t", "checkpoints: state written aside"),
                Map.entry("OutputFlusher", "threads that flush outputs between tasks"),
                Map.entry("kafka-producer", "Kafka producers"),
                Map.entry("GC Thread", "garbage collection"),
                Map.entry("G1 ", "garbage collection"),
                Map.entry("C1 Compiler", COMPILERS),
                Map.entry("C2 Compiler", COMPILERS),
                Map.entry("JFR ", RECORDER));

        /** A part's processor time. */
        record Part(String part, double seconds) {}

        /** So far; none where the system does not tell. */
        static Optional<ThreadTime> of(long pid) {
            try (Stream<Path> listed = Files.list(Path.of("/proc/" + pid + "/task"))) {
                Map<String, Double> seconds = new HashMap<>();
                listed.forEach(thread -> add(thread, seconds));
                return Optional.of(new ThreadTime(seconds));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        private static void add(Path thread, Map<String, Double> seconds) {
            try {
                add(Files.readString(thread.resolve("stat")), seconds);
            } catch (IOException e) {
                return; // it has just ended
            }
        }

        /** @param stat a line of {@code /proc/PID/task/TID/stat}, see proc(5) */
        static void add(String stat, Map<String, Double> seconds) {
            int end = stat.lastIndexOf(')');
            String name = stat.substring(stat.indexOf('(') + 1, end);
            List<String> fields = List.of(stat.substring(end + 2).split(" ", AT_SYSTEM_TICKS + 2));
            long ticks = Long.parseLong(fields.get(AT_USER_TICKS)) + Long.parseLong(fields.get(AT_SYSTEM_TICKS));
            PARTS.forEach((begin, part) -> {
                if (name.startsWith(begin)) {
                    seconds.merge(part, ticks / TICKS_PER_SECOND, Double::sum);
                }
            });
        }

        ThreadTime since(ThreadTime before) {
            Map<String, Double> since = new HashMap<>();
            seconds.forEach((part, now) -> since.put(part, now - before.of(part)));
            return new ThreadTime(since);
        }

        double of(String part) {
            return seconds.getOrDefault(part, 0.0);
        }

        /**
         * All parts, largest first, then what is left.
         *
         * @param all of the process
         */
        List<Part> parts(double all) {
            List<Part> parts = new ArrayList<>();
            seconds.forEach((part, taken) -> parts.add(new Part(part, taken)));
            parts.sort(Comparator.comparingDouble(Part::seconds).reversed());
            double known =
                    seconds.values().stream().mapToDouble(Double::doubleValue).sum();
            parts.add(new Part(REST, all - known));
            return parts;
        }
    }
}
