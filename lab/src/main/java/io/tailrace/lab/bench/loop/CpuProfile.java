package io.tailrace.lab.bench.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        if (type.startsWith("io.tailrace.operators.indexing")) {
            return "indexing: memtables and level-0 segments";
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
}
