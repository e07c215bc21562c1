package io.tailrace.operators.admission;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.schemas.ReportTopics;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The topics that generations come from, or outcomes. One is everybody's. Each other is bound to scopes: it brings those alone, and they come from no
 * topic that is not bound to them. So who may write which scope follows from who may write which topic, and that the brokers decide.
 *
 * <p>Operators behind admission know a partition of any of them by one number, its place: of the topic that is everybody's the partition itself, of
 * another a number that follows from its name, so that state stays right whatever topics come and go.
 *
 * @param everybodys full name
 * @param bound those bound to scopes
 */
public record BoundTopics(String everybodys, List<Bound> bound) implements Serializable {
    private static final int PARTITION_BITS = 16;
    private static final int NUMBERS = (1 << 15) - 1;

    /**
     * A topic bound to scopes.
     *
     * @param topic full name
     * @param scopes patterns of the scopes that it may bring
     */
    public record Bound(String topic, List<Pattern> scopes) implements Serializable {
        public Bound {
            require(!scopes.isEmpty(), "topic %s must be bound to at least one scope", topic);
            scopes = List.copyOf(scopes);
        }

        /**
         * Reads {@code NAME=SCOPE[,SCOPE...]}, in which {@code *} stands for any characters of a scope: the topic that is everybody's, {@code -NAME}.
         *
         * @param everybodys full name of the topic that its name begins with
         */
        public static Bound parse(String text, String everybodys) {
            int equals = text.indexOf('=');
            require(
                    equals > 0 && equals < text.length() - 1,
                    "--bound-topics reads NAME=SCOPE[,SCOPE...], got '%s'",
                    text);
            String name = text.substring(0, equals);
            ReportTopics.check(name);
            List<Pattern> scopes = Arrays.stream(text.substring(equals + 1).split(",", -1))
                    .map(AdmissionOptions.ScopeRule::glob)
                    .toList();
            return new Bound(everybodys + "-" + name, scopes);
        }

        private boolean brings(String scope) {
            return scopes.stream().anyMatch(pattern -> pattern.matcher(scope).matches());
        }

        int number() {
            return BoundTopics.number(topic);
        }
    }

    public BoundTopics {
        bound = List.copyOf(bound);
        Map<Integer, String> numbers = new HashMap<>();
        for (Bound one : bound) {
            String other = numbers.put(one.number(), one.topic());
            require(
                    other == null,
                    "topics %s and %s are the same or have the same number; rename one",
                    other,
                    one.topic());
        }
    }

    /** One topic, for every scope. */
    public static BoundTopics only(String topic) {
        return new BoundTopics(topic, List.of());
    }

    /** Full names of all. */
    public List<String> names() {
        List<String> names = new ArrayList<>(List.of(everybodys));
        bound.forEach(one -> names.add(one.topic()));
        return names;
    }

    /** Whether a topic may bring records of a scope. */
    public boolean allows(String topic, String scope) {
        if (topic.equals(everybodys)) {
            return bound.stream().noneMatch(one -> one.brings(scope));
        }
        return bound.stream().anyMatch(one -> one.topic().equals(topic) && one.brings(scope));
    }

    /** Which of the bound topics brings a scope, the first that may; -1: none, it comes from the topic that is everybody's. */
    int boundTo(String scope) {
        for (int i = 0; i < bound.size(); i++) {
            if (bound.get(i).brings(scope)) {
                return i;
            }
        }
        return -1;
    }

    private static int number(String topic) {
        return 1 + Math.floorMod(topic.hashCode(), NUMBERS);
    }

    /** The number of a topic's partition. */
    int place(String topic, int partition) {
        return place(everybodys, topic, partition);
    }

    /**
     * The number of a topic's partition, for those who do not know which topics are bound to what. Manifests name source partitions by it.
     *
     * @param everybodys full name of the topic that is everybody's
     * @param topic full name of that topic or of one that is bound to scopes
     */
    public static int place(String everybodys, String topic, int partition) {
        return topic.equals(everybodys) ? partition : number(topic) << PARTITION_BITS | partition;
    }

    /** The topic of a place; of one that is read no longer the one that is everybody's. */
    public String topic(int place) {
        return bound.stream()
                .filter(one -> one.number() == place >>> PARTITION_BITS)
                .map(Bound::topic)
                .findFirst()
                .orElse(everybodys);
    }

    /** The partition of a place. */
    public static int partition(int place) {
        return place & (1 << PARTITION_BITS) - 1;
    }
}
