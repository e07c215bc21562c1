package io.tailrace.tap.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncomingBodiesTest {
    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();

    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("test", true);
    private final IncomingBodies bodies = new IncomingBodies(2);
    private final List<String> givenUp = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        scheduler.start();
    }

    @AfterEach
    void stop() throws Exception {
        scheduler.stop();
    }

    @Test
    void theOneThatWasWaitedForFirstIsGivenUp() {
        body("a").waits();
        IncomingBody b = body("b");
        b.waits();
        body("c").waits();
        assertThat(givenUp).containsExactly("a");
        b.end();
        body("d").waits();
        assertThat(givenUp).containsExactly("a");
        body("e").waits();
        assertThat(givenUp).containsExactly("a", "c");
    }

    /** It is the server that is waited for then, and the client is not to blame. */
    @Test
    void aBodyThatCameSoFarDoesNotCount() {
        IncomingBody a = body("a");
        IncomingBody b = body("b");
        a.waits();
        b.waits();
        a.came();
        b.came();
        IncomingBody c = body("c");
        c.waits();
        body("d").waits();
        assertThat(givenUp).isEmpty();
        c.came();
        a.waits();
        assertThat(givenUp).isEmpty();
        b.waits();
        assertThat(givenUp).as("in the order in which they began").containsExactly("a");
        a.waits();
        c.waits();
        assertThat(givenUp).containsExactly("a", "b");
    }

    private IncomingBody body(String name) {
        return new IncomingBody(bodies, scheduler, LONG_NANOS, why -> {
            assertThat(why).isEqualTo(Refusal.CROWDED);
            givenUp.add(name);
        });
    }
}
