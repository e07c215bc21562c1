package io.tailrace.schemas;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The topics that a process reports to: everybody's, or those that are bound to scopes, {@code generations-NAME} and {@code outcomes-NAME}. Which
 * scopes these bring is the job's to say, who may write them the brokers'. Topic {@code workers} is everybody's.
 *
 * @param prefix before every topic's name; may be empty
 * @param bound NAME; empty: everybody's topics
 */
public record ReportTopics(String prefix, Optional<String> bound) {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,100}");

    /** @throws IllegalArgumentException if the name is none for a topic */
    public ReportTopics {
        Objects.requireNonNull(prefix, "prefix");
        bound.ifPresent(ReportTopics::check);
    }

    /** Everybody's. */
    public static ReportTopics everybodys(String prefix) {
        return new ReportTopics(prefix, Optional.empty());
    }

    /** Those bound to scopes under a name. */
    public static ReportTopics bound(String prefix, String name) {
        return new ReportTopics(prefix, Optional.of(name));
    }

    /**
     * Checks the name of bound topics.
     *
     * @throws IllegalArgumentException if it is none for a topic
     */
    public static void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of bound topics has 1 to 100 letters, digits, '.', '_' or '-', got '%s'".formatted(name));
        }
    }

    /** Full name of the topic for generations. */
    public String generations() {
        return of(Topic.GENERATIONS);
    }

    /** Full name of the topic for outcomes. */
    public String outcomes() {
        return of(Topic.OUTCOMES);
    }

    /** Full name of the topic for workers' states. */
    public String workers() {
        return Topic.WORKERS.name(prefix);
    }

    /**
     * Full name of the topic for what is kept as {@code generations} or {@code outcomes}, whatever prefix or bound topics it was kept under.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public String named(String baseName) {
        if (baseName.equals(Topic.GENERATIONS.name(""))) {
            return generations();
        }
        if (baseName.equals(Topic.OUTCOMES.name(""))) {
            return outcomes();
        }
        throw new IllegalArgumentException("reports go to generations or outcomes, got '%s'".formatted(baseName));
    }

    private String of(Topic topic) {
        return topic.name(prefix) + bound.map(name -> "-" + name).orElse("");
    }
}
