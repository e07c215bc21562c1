package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Whether a store answers, found out before anything is to be fetched from it. */
public final class StoreLook {
    private static final Duration TIME_MAX = Duration.ofSeconds(7);

    private StoreLook() {}

    /**
     * Why the store at a URI does not answer; empty: it does.
     *
     * @throws IllegalArgumentException as {@link SegmentStore#at(URI)}
     */
    public static Optional<String> unreachable(URI root) {
        return unreachable(root, TIME_MAX);
    }

    static Optional<String> unreachable(URI root, Duration timeMax) {
        try (SegmentStore store = SegmentStore.at(root, timeMax, timeMax)) {
            store.look();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("no store at %s: %s".formatted(root, e.getMessage()));
        }
    }
}
