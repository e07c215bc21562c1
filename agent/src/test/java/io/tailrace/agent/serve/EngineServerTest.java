package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tailrace.agent.TestDoor;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineServerTest {
    private static final int OFF = 1;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger bugs = new AtomicInteger();
    private final AtomicInteger acceptsFail = new AtomicInteger();
    /** Where the disk is slow: reports that wait for it; null: it is not. */
    private volatile List<Runnable> slow;
    /** Where a frame that was read waits before it is taken in; null: it does not. */
    private volatile CountDownLatch hold;

    private int lanesMax = 256;

    private final ModelClients clients = new ModelClients(this::open);
    private final EndedReports reports = new EndedReports();
    private final AgentMetrics metrics =
            new AgentMetrics("agent-1", clients::all, List::of, reports::failures, () -> 0);
    private Path socket;
    private EngineServer server;

    @BeforeEach
    void start() throws IOException {
        socket = LoneAgent.socket(folder);
        AgentOptions options = LoneAgent.options(folder, BudgetChoice::measured);
        server = new EngineServer(options, clients, metrics, reports) {
            @Override
            long nanos() {
                CountDownLatch held = hold;
                if (held != null) {
                    awaitQuietly(held);
                }
                return nanos.get();
            }

            @Override
            AgentMetrics metrics() {
                if (bugs.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IllegalStateException("a bug");
                }
                return super.metrics();
            }

            @Override
            void report(int size, Runnable report, Runnable over) {
                if (slow == null) {
                    super.report(size, report, over);
                } else {
                    slow.add(() -> {
                        report.run();
                        over.run();
                    });
                }
            }

            @Override
            SocketChannel next() throws IOException {
                if (acceptsFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IOException("Too many open files");
                }
                return super.next();
            }
        };
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        clients.close();
        metrics.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private TailraceClient open(ServedModel model) throws IOException {
        return TailraceClient.open(ClientOptions.alone(
                "agent-1",
                model,
                FollowOptions.of(folder.toUri(), folder.resolve("cache")).withLanesMax(lanesMax)));
    }

    private TestDoor door(String engine) throws IOException {
        TestDoor door = new TestDoor(socket);
        assertThat(hello(door, engine, 1_000, "llama")).isNull();
        return door;
    }

    private static String hello(TestDoor door, String engine, int vocabulary, String model) throws IOException {
        return door.hello(engine, vocabulary, model, "sha256:0");
    }

    /** Its requests may not draft. */
    private void switchOff(String scope) {
        DraftPolicy on = DraftPolicy.defaults();
        DraftPolicy off =
                new DraftPolicy(false, on.budgetMax(), on.probabilityFloor(), on.weightsLayout(), on.weights());
        ServedLane.of(clients.all().get(0).lane(scope))
                .live()
                .swap(new LoadedSnapshot(1, off, new LaneIndex(List.of(), null, null), () -> {}));
    }

    @Test
    void theWelcomeNamesTheScopeOfRequestsThatNameNone() throws IOException {
        server.start();
        try (TestDoor door = door("engine-1")) {
            assertThat(door.scope()).isEqualTo("public");
        }
    }

    @Test
    void whatEndedInTheLastStepOfAnEngineThatDidNotWaitIsRemembered() throws IOException {
        server.start();
        try (TestDoor door = door("engine-1")) {
            door.begin(1, "a", "chat", 3, TestDoor.prompt(1)).draft(1, 16).step(0, 0, 0);
            hold = new CountDownLatch(1);
            door.extend(1, 0, 2, 3, 4).end(1, 1);
            door.sendRaw(door.stepBytes());
        }
        hold.countDown();
        await().atMost(SOON)
                .until(() -> clients.all().get(0).lane("chat").state(0).freshTokens() > 0);
        assertThat(metrics.scrape()).contains("tailrace_requests_total{reason=\"stop\",worker=\"agent-1\"} 1.0");
    }

    @Test
    void requestsOfScopesBeyondTheLimitAreCounted() throws IOException {
        lanesMax = 2;
        server.start();
        try (TestDoor door = door("engine-1")) {
            for (String scope : List.of("", "a", "b", "a", "c")) {
                door.serve("of " + scope, scope, 1, 2, 3, 4);
            }
            door.awaitRemembered();
        }
        assertThat(metrics.scrape()).contains("tailrace_requests_unshared_total{worker=\"agent-1\"} 2.0");
    }

    @Test
    void aPolicyThatIsOffIsSaidInStepsWithoutDraftsToo() throws IOException {
        server.start();
        try (TestDoor door = door("engine-1")) {
            switchOff("quiet");
            assertThat(door.step(0, 0, 0).flags()).as("nothing runs").isZero();
            door.begin(1, "a", "quiet", 2, 1, 2, 3).draft(1, 16);
            assertThat(door.step(0, 0, 0).flags()).isEqualTo(OFF);
            door.extend(1, 0, 4);
            assertThat(door.step(0, 1, 1).flags()).as("the door holds back").isEqualTo(OFF);
        }
    }

    @Test
    void oneLaneThatIsOffIsNotTheWholeEngine() throws IOException {
        server.start();
        try (TestDoor door = door("engine-1")) {
            switchOff("quiet");
            door.begin(1, "a", "quiet", 2, 1, 2, 3).begin(2, "b", "other", 2, 1, 2, 3);
            assertThat(door.draft(1, 16).step(0, 0, 0).flags()).isZero();
            assertThat(door.end(2, 1).step(0, 0, 0).flags()).isEqualTo(OFF);
        }
    }

    @Test
    void aModelThatNoEngineServesAnyMoreMayHaveOtherTokens() throws IOException {
        server.start();
        try (TestDoor guess = new TestDoor(socket);
                TestDoor refused = new TestDoor(socket)) {
            assertThat(hello(guess, "doctor", 32_000, "llama")).isNull();
            assertThat(hello(refused, "engine-1", 151_936, "llama")).contains("32000", "151936");
        }
        await().atMost(SOON).until(() -> welcomed("engine-1", 151_936, "llama"));
        assertThat(clients.all()).hasSize(1);
    }

    @Test
    void moreModelsThanFitAreServedOneAfterTheOther() throws IOException {
        server.start();
        for (int model = 0; model <= AgentOptions.MODELS_MAX; model++) {
            String name = "llama-" + model;
            await().atMost(SOON).until(() -> welcomed("engine-1", 1_000, name));
        }
        assertThat(clients.all()).hasSize(AgentOptions.MODELS_MAX);
    }

    private boolean welcomed(String engine, int vocabulary, String model) throws IOException {
        try (TestDoor door = new TestDoor(socket)) {
            return hello(door, engine, vocabulary, model) == null;
        }
    }

    @Test
    void twoLivingEnginesOfOneNameAreToldApart() throws IOException {
        server.start();
        try (TestDoor first = door("engine");
                TestDoor second = door("engine")) {
            for (int step = 0; step < 10; step++) {
                nanos.addAndGet(EngineServer.ALIVE_NANOS / 2);
                first.step(0, 0, 0);
                second.step(0, 0, 0);
            }
            assertThat(server.engines())
                    .extracting(EngineConnection::engine)
                    .containsExactlyInAnyOrder("engine", "engine-2");
        }
    }

    /** The fleet refuses what longer names report. */
    @Test
    void aNameWithItsNumberIsNoLongerThanANameMayBe() throws IOException {
        server.start();
        for (Map.Entry<String, String> cut : Map.of(
                        "e".repeat(Hello.NAME_BYTES_MAX), "e".repeat(Hello.NAME_BYTES_MAX - 2) + "-2",
                        "é".repeat(Hello.NAME_BYTES_MAX / 2), "é".repeat(Hello.NAME_BYTES_MAX / 2 - 1) + "-2",
                        "🚂".repeat(Hello.NAME_BYTES_MAX / 4), "🚂".repeat(Hello.NAME_BYTES_MAX / 4 - 1) + "-2")
                .entrySet()) {
            try (TestDoor first = door(cut.getKey());
                    TestDoor second = door(cut.getKey())) {
                first.step(0, 0, 0);
                second.step(0, 0, 0);
                assertThat(server.engines())
                        .extracting(EngineConnection::engine)
                        .contains(cut.getKey(), cut.getValue());
            }
        }
    }

    @Test
    void anEngineThatConnectsAnewTakesItsDeadConnectionsPlace() throws IOException {
        server.start();
        try (TestDoor before = door("engine")) {
            before.step(0, 0, 0); // it is named behind its welcome
            nanos.addAndGet(EngineServer.ALIVE_NANOS);
            try (TestDoor after = door("engine")) {
                after.step(0, 0, 0);
                assertThatThrownBy(before::refusal).isInstanceOf(IOException.class);
                assertThat(server.engines())
                        .extracting(EngineConnection::engine)
                        .containsExactly("engine");
            }
        }
    }

    @Test
    void whereAllPlacesAreTakenAnEngineStillTakesItsOwnDeadConnections() throws IOException {
        server.start();
        List<TestDoor> doors = new ArrayList<>();
        try {
            for (int engine = 0; engine < AgentOptions.ENGINES_MAX; engine++) {
                doors.add(door("engine-" + engine));
            }
            nanos.addAndGet(EngineServer.ALIVE_NANOS);
            doors.add(door("engine-7"));
            TestDoor other = new TestDoor(socket);
            doors.add(other);
            assertThat(hello(other, "other", 1_000, "llama")).contains("has 64 engines already");
        } finally {
            for (TestDoor door : doors) {
                door.close();
            }
        }
    }

    @Test
    void enginesThatGaveUpBeforeAnAgentCameToItselfLeaveNoNameBehind() throws IOException {
        for (int tries = 0; tries < 20; tries++) {
            try (TestDoor impatient = new TestDoor(socket)) {
                impatient.sayHello("engine", 1_000, "llama", "sha256:0");
            }
        }
        try (TestDoor door = new TestDoor(socket)) {
            door.sayHello("engine", 1_000, "llama", "sha256:0");
            server.start();
            assertThat(door.welcome()).isNull();
            door.step(0, 0, 0);
            await().atMost(SOON).until(() -> server.engines().size() == 1);
            assertThat(server.engines()).extracting(EngineConnection::engine).containsExactly("engine");
        }
    }

    @Test
    void aStepThatIsSentBeforeTheWelcomeEndsTheConnectionWithoutAnAnswer() throws IOException {
        server.start();
        try (TestDoor hasty = new TestDoor(socket)) {
            hasty.sayHelloAndStep("engine", 1_000, "llama", "sha256:0");
            assertThatThrownBy(hasty::welcome).isInstanceOf(EOFException.class);
        }
        await().atMost(SOON).until(() -> welcomed("engine", 1_000, "llama"));
    }

    @Test
    void aBugInAStepIsARefusalOfThatStepAndIsCounted() throws IOException {
        server.start();
        try (TestDoor door = door("engine-1")) {
            door.step(0, 0, 0);
            bugs.set(1);
            door.sendRaw(door.begin(1, "a", "public", 2, 1, 2, 3).draft(1, 4).stepBytes());
            TestDoor.Refusal refused = door.refused();
            assertThat(refused.code()).isEqualTo(4);
            assertThat(refused.sequence()).isEqualTo(2);
            assertThat(refused.words()).contains("a bug");
        }
        try (TestDoor door = door("engine-1")) {
            door.begin(1, "a", "public", 2, 1, 2, 3).step(0, 0, 0);
            bugs.set(1);
            assertThat(door.end(1, 1).step(0, 0, 0).sequence()).isEqualTo(2);
            assertThat(door.refused().sequence()).isEqualTo(2);
        }
        await().atMost(SOON)
                .until(() -> metrics.scrape().contains("tailrace_engine_steps_broken_total{worker=\"agent-1\"} 2.0"));
    }

    @Test
    void anAcceptThatFailsIsTriedAgain() throws IOException {
        acceptsFail.set(1);
        server.start();
        door("engine-1").close();
        assertThat(server.live()).isTrue();
    }

    @Test
    void connectionsThatSayNothingCannotKeepEnginesOut() throws IOException {
        server.start();
        List<TestDoor> silent = new ArrayList<>();
        try {
            for (int i = 0; i <= EngineServer.SILENT_MAX; i++) {
                silent.add(new TestDoor(socket));
            }
            TestDoor oldest = silent.get(0);
            assertThatThrownBy(oldest::refusal).isInstanceOf(IOException.class);
            door("engine-1").close();
        } finally {
            for (TestDoor door : silent) {
                door.close();
            }
        }
    }

    @Test
    void nothingIsAcknowledgedThatIsNotSafe() throws IOException {
        slow = new CopyOnWriteArrayList<>();
        server.start();
        try (TestDoor door = door("engine-1")) {
            for (int request = 1; request <= 3; request++) {
                door.begin(request, "r" + request, "public", 3, TestDoor.prompt(request));
            }
            door.draft(1, 4).step(0, 0, 0);
            door.extend(1, 0, 5).end(1, 1).extend(2, 0, 6).end(2, 1).step(0, 2, 2);
            door.extend(3, 0, 5).end(3, 1).step(0, 1, 1);
            assertThat(door.step(0, 0, 0).reports()).isEqualTo(1);
            slow.get(0).run();
            assertThat(door.step(0, 0, 0).reports()).as("one of two is safe").isEqualTo(1);
            slow.get(2).run();
            assertThat(door.step(0, 0, 0).reports()).as("a later one is safe").isEqualTo(1);
            slow.get(1).run();
            assertThat(door.step(0, 0, 0).reports()).isEqualTo(6);
        }
    }

    @Test
    void aReportThatThrowsIsGivenUpAndCounted() {
        AtomicInteger over = new AtomicInteger();
        server.report(
                1,
                () -> {
                    throw new IllegalStateException("the disk is away");
                },
                over::incrementAndGet);
        server.report(1, () -> {}, over::incrementAndGet);
        await().atMost(SOON).until(() -> over.get() == 2);
        assertThat(metrics.scrape()).contains("tailrace_reports_failed_total{worker=\"agent-1\"} 1.0");
    }
}
