package io.tailrace.e2e.loop;

import io.tailrace.lab.loop.LoopObserver;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** The job's accounts of what it was sent. */
public final class Books {
    private static final Duration POLL = Duration.ofMillis(100);

    private Books() {}

    /** Waits until the accounts close with nothing pending, over records as they are expected; returns them. */
    public static LoopObserver.Accounting awaitClosed(
            LoopObserver observer, Duration most, Predicate<LoopObserver.Accounting.Records> expected) {
        return Awaitility.await("books that close over all answers")
                .atMost(most)
                .pollInterval(POLL)
                .until(
                        () -> {
                            observer.poll(POLL);
                            return observer.accounting();
                        },
                        books -> books.settled() && expected.test(books.records()));
    }
}
