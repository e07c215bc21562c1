package io.tailrace.jobs.topics;

import io.tailrace.jobs.topics.TopicCreation.Report;
import io.tailrace.schemas.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.ConfigEntry;

/**
 * What a topic that is there has otherwise than it would be made. More partitions, replicas, time or bytes, an operator may have given it for good
 * reasons: those are notes. All else breaks what is promised.
 */
final class TopicComparison {
    private static final Set<String> AT_LEAST = Set.of("retention.ms", "max.message.bytes", "min.insync.replicas");
    private static final String UNLIMITED = "-1";

    private final List<String> differences = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** Where there is to be one partition, its order counts. */
    void partitions(Topic topic, int got) {
        compare("partitions", topic.partitions(), got, topic.mayHaveMorePartitions());
    }

    /** Of the partition that has fewest. */
    void replicas(int expected, int got) {
        compare("replicas", expected, got, true);
    }

    private void compare(String what, int expected, int got, boolean more) {
        if (got != expected) {
            (more && got > expected ? notes : differences).add(told(what, expected, got));
        }
    }

    /** One setting; null: the topic has none. */
    void setting(String key, String expected, ConfigEntry entry) {
        String got = entry == null ? "nothing" : entry.value();
        if (!expected.equals(got)) {
            (AT_LEAST.contains(key) && isMore(got, expected) ? notes : differences).add(told(key, expected, got));
        }
    }

    private static boolean isMore(String got, String expected) {
        try {
            return got.equals(UNLIMITED)
                    || (!expected.equals(UNLIMITED) && Long.parseLong(got) > Long.parseLong(expected));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String told(String what, Object expected, Object got) {
        return "%s: expected %s, got %s".formatted(what, expected, got);
    }

    Report report(String name) {
        List<String> all = new ArrayList<>(differences);
        notes.forEach(note -> all.add(note + ", which is fine"));
        return new Report(
                name, differences.isEmpty() ? Report.Status.EXISTED : Report.Status.DIFFERS, String.join("; ", all));
    }
}
