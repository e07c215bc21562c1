package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelClientsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final AtomicInteger opened = new AtomicInteger();
    private final CountDownLatch slow = new CountDownLatch(1);
    private final ExecutorService engines = Executors.newCachedThreadPool();
    private volatile boolean broken;
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final ModelClients clients = new ModelClients(new ModelClients.Opener() {
        @Override
        public TailraceClient open(ServedModel model) throws IOException {
            return ModelClientsTest.this.open(model);
        }

        @Override
        public void closed(ServedModel model) {
            closed.add(model.model());
        }
    });

    @AfterEach
    void stop() {
        slow.countDown();
        engines.shutdownNow();
        clients.close();
    }

    private TailraceClient open(ServedModel model) throws IOException {
        boolean fails = broken;
        opened.incrementAndGet();
        if (model.model().equals("slow")) {
            awaitDisk();
        }
        if (fails) {
            throw new IOException("the disk is full");
        }
        return TailraceClient.open(
                ClientOptions.alone("agent", model, FollowOptions.of(folder.toUri(), folder.resolve("cache"))));
    }

    private void awaitDisk() throws IOException {
        try {
            assertThat(slow.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static Hello hello(String model) {
        return new Hello(1_000, 4, 8, false, "engine", model, "1", "sha256:0");
    }

    private Future<TailraceClient> leased(String model) {
        Callable<TailraceClient> lease = () -> clients.lease(hello(model));
        return engines.submit(lease);
    }

    @Test
    void oneModelsClientThatOpensSlowlyHoldsNobodyElseUp() throws Exception {
        List<Future<TailraceClient>> waiting = new ArrayList<>();
        for (int engine = 0; engine < 8; engine++) {
            waiting.add(leased("slow"));
        }
        await().atMost(SOON).until(() -> opened.get() == 1);
        TailraceClient other = leased("other").get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(clients.all()).containsExactly(other);
        slow.countDown();
        TailraceClient first = waiting.get(0).get(SOON.toSeconds(), TimeUnit.SECONDS);
        for (Future<TailraceClient> each : waiting) {
            assertThat(each.get(SOON.toSeconds(), TimeUnit.SECONDS)).isSameAs(first);
        }
        assertThat(opened).hasValue(2);
        assertThat(clients.all()).containsExactlyInAnyOrder(first, other);
    }

    @Test
    void whoWaitsForAClientThatCannotBeOpenedIsRefusedWithItAndTheNextTriesAgain() throws Exception {
        broken = true;
        List<Future<TailraceClient>> waiting = List.of(leased("slow"), leased("slow"), leased("slow"));
        await().atMost(SOON).until(() -> opened.get() == 1);
        broken = false;
        slow.countDown();
        int refused = 0;
        for (Future<TailraceClient> each : waiting) {
            try {
                assertThat(each.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            } catch (ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOf(RefusedEngineException.class)
                        .hasMessageContaining("the disk is full");
                refused++;
            }
        }
        assertThat(refused).isPositive();
        assertThat(clients.lease(hello("slow"))).isNotNull();
        assertThat(opened).hasValue(2);
    }

    /** What it counted and could not send is not to be lost with it. */
    @Test
    void whoMakesRoomForAnotherModelIsHeardOf() throws Exception {
        TailraceClient first = clients.lease(hello("m-0"));
        clients.release(first);
        for (int model = 1; model < AgentOptions.MODELS_MAX; model++) {
            clients.lease(hello("m-" + model));
        }
        assertThat(closed).isEmpty();
        clients.lease(hello("one more"));
        assertThat(closed).containsExactly("m-0");
        assertThat(clients.all()).hasSize(AgentOptions.MODELS_MAX).doesNotContain(first);
    }

    @Test
    void aClientThatOpensAfterTheAgentHasClosedIsClosedAndNobodys() throws Exception {
        Future<TailraceClient> late = leased("slow");
        await().atMost(SOON).until(() -> opened.get() == 1);
        clients.close();
        slow.countDown();
        assertThatThrownBy(() -> late.get(SOON.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(RefusedEngineException.class);
        assertThat(clients.all()).isEmpty();
    }
}
