package io.tailrace.client;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What a client is, and whom it talks to.
 *
 * @param name unique in the fleet; producer of its generations, 1 to {@link #NAME_CHARS_MAX} characters without '#'
 * @param workerClass whose cost curve its step times belong to; named like it
 * @param model the model its engine serves, as the fleet calls it
 * @param follow how it follows snapshots, and how many answers it remembers until one holds them
 * @param snapshotFolder segments to draft from where there is no Kafka; read once, when it is opened
 * @param reporting Kafka; empty: it neither follows announcements nor reports
 */
public record ClientOptions(
        String name,
        String workerClass,
        ServedModel model,
        FollowOptions follow,
        Optional<Path> snapshotFolder,
        Optional<ReportingOptions> reporting) {
    public static final int NAME_CHARS_MAX = 200;

    public ClientOptions {
        checkName("name", name);
        checkName("workerClass", workerClass);
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(follow, "follow");
        Objects.requireNonNull(snapshotFolder, "snapshotFolder");
        Objects.requireNonNull(reporting, "reporting");
    }

    /** A client on its own: it drafts from its own answers, for as long as it runs. */
    public static ClientOptions alone(String name, ServedModel model, FollowOptions follow) {
        return new ClientOptions(name, "cpu", model, follow, Optional.empty(), Optional.empty());
    }

    /** The same in a fleet: it follows what is announced, and reports. */
    public ClientOptions withReporting(ReportingOptions options) {
        return new ClientOptions(name, workerClass, model, follow, snapshotFolder, Optional.of(options));
    }

    /** The same with another class of workers. */
    public ClientOptions withWorkerClass(String other) {
        return new ClientOptions(name, other, model, follow, snapshotFolder, reporting);
    }

    /**
     * The name, if it is one: names are keys of records and parts of other names.
     *
     * @param what it is the name of, for the message
     * @throws IllegalArgumentException if it is blank, longer than {@link #NAME_CHARS_MAX} or has a '#'
     */
    public static String checkName(String what, String name) {
        if (name == null || name.isBlank() || name.length() > NAME_CHARS_MAX || name.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters and no '#', got '%s'".formatted(what, NAME_CHARS_MAX, name));
        }
        return name;
    }
}
