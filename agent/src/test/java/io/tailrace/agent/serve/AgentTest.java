package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.report.Reporter;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentTest {
    private static final int VOCABULARY = 1_000;
    private static final long STEP_NANOS = 10_000_000;

    @TempDir
    private Path folder;

    private Path socket;
    private Agent agent;

    @BeforeEach
    void start() throws IOException {
        socket = folder.resolve("agent.sock");
        agent = Agent.start(options("public"));
    }

    @AfterEach
    void stop() throws IOException {
        agent.close();
        assertThat(socket).doesNotExist();
    }

    private AgentOptions options(String scope) {
        return options(scope, UnaryOperator.identity());
    }

    private AgentOptions options(String scope, UnaryOperator<ClientOptions> settings) {
        return new AgentOptions(
                "agent-1",
                ListenAddress.parse(socket.toString()),
                scope,
                model -> settings.apply(ClientOptions.alone(
                        "agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache")))),
                BudgetChoice::measured,
                Optional.empty(),
                Optional.empty(),
                "127.0.0.1",
                0);
    }

    private TestDoor door(String engine) throws IOException {
        TestDoor door = new TestDoor(socket);
        assertThat(door.hello(engine, VOCABULARY, "llama", "sha256:0")).isNull();
        return door;
    }

    @Test
    void aSecondEngineDraftsFromWhatTheFirstHasAnswered() throws IOException {
        int[] answer = new Random(1).ints(200, 0, VOCABULARY).toArray();
        try (TestDoor first = door("engine-1");
                TestDoor second = door("engine-2")) {
            assertThat(first.serve("a", "", answer)).isGreaterThan(150);
            first.awaitRemembered();
            assertThat(second.serve("b", "", answer)).isLessThan(60);
            assertThat(second.serve("c", "other", answer))
                    .as("another scope's answers are nobody else's")
                    .isGreaterThan(150);
        }
    }

    @Test
    void aPrivateRequestTeachesNobody() throws IOException {
        int[] answer = new Random(2).ints(100, 0, VOCABULARY).toArray();
        try (TestDoor door = door("engine-1")) {
            door.begin(7, "p", "public", true, 3, TestDoor.prompt(answer[0]));
            door.step(0, 0, 0);
            door.extend(7, 0, answer).end(7, 1);
            door.step(0, 0, 0);
            assertThat(door.serve("a", "public", answer)).isGreaterThan(75);
        }
    }

    @Test
    void whatWasVerifiedLateIsNoHarm() throws IOException {
        int[] answer = new Random(3).ints(300, 0, VOCABULARY).toArray();
        try (TestDoor door = door("engine-1")) {
            door.serve("a", "", answer);
            door.begin(1, "b", "", 3, TestDoor.prompt(answer[0])).draft(1, 16);
            door.step(0, 0, 0);
            for (int at = 1; at < answer.length; at += 7) {
                int end = Math.min(answer.length, at + 7);
                door.extend(1, 0, Arrays.copyOfRange(answer, at, end)).draft(1, 16);
                TestDoor.Reply reply = door.step(STEP_NANOS, 1, 1);
                assertThat(reply.drafts()).hasSize(1);
            }
        }
    }

    @Test
    void aRandomEngineIsServedWhateverItDoes() throws IOException {
        for (int seed = 0; seed < 30; seed++) {
            try (TestDoor door = door("engine-" + seed)) {
                new RandomEngine(door, seed, VOCABULARY).run(300);
            } catch (IllegalStateException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void aForeignTokenizerIsRefusedInWords() throws IOException {
        try (TestDoor first = door("engine-1");
                TestDoor second = new TestDoor(socket)) {
            assertThat(second.hello("engine-2", VOCABULARY, "llama", "sha256:1"))
                    .contains("llama@1", "sha256:0", "sha256:1", "another name or revision");
            assertThat(first.serve("a", "", 1, 2, 3)).isPositive();
        }
    }

    @Test
    void aBrokenFrameIsRefusedAndNobodyElseNotices() throws IOException {
        try (TestDoor good = door("good")) {
            Random random = new Random(4);
            for (int round = 0; round < 300; round++) {
                try (TestDoor bad = door("bad")) {
                    bad.begin(1, "a", "public", 2, 1, 2, 3).draft(1, 16);
                    ByteBuffer bytes = bad.stepBytes();
                    int at = random.nextInt(bytes.limit());
                    bytes.put(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
                    bad.sendRaw(bytes);
                    bad.sendRaw(ByteBuffer.wrap(new byte[random.nextInt(64)]));
                } catch (IOException e) {
                    assertThat(e).as("it has closed already").hasMessageMatching(".*(pipe|reset).*");
                }
            }
            assertThat(good.serve("a", "", 1, 2, 3)).isPositive();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> !page("/").contains("bad:"));
    }

    @Test
    void tokensBeyondTheVocabularyAreRefusedInWords() throws IOException {
        try (TestDoor door = door("engine-1")) {
            door.step(0, 0, 0);
            door.sendRaw(door.begin(1, "a", "public", 1, VOCABULARY).stepBytes());
            TestDoor.Refusal refused = door.refused();
            assertThat(refused.words()).contains("tokens at byte", "0 to 999", "docs/ENGINE_PROTOCOL.md");
            assertThat(refused.sequence()).isEqualTo(2);
            assertThat(refused.code()).isEqualTo(4);
            assertThatThrownBy(door::refusal).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aScopeThatCannotBeOneSharesNothing() throws IOException {
        int[] answer = new Random(6).ints(100, 0, VOCABULARY).toArray();
        String tenant = "t".repeat(250);
        try (TestDoor door = door("engine-1")) {
            door.serve("a", tenant, answer);
            door.awaitRemembered();
            assertThat(door.serve("b", tenant, answer)).isGreaterThan(75);
            assertThat(page("/metrics")).doesNotContain(tenant);
        }
    }

    @Test
    void whatIsPrivateOrOfNoScopeIsNotReported() throws IOException {
        Path spool = folder.resolve("spool");
        ReportingOptions reporting = withoutBroker(spool);
        agent.close();
        agent = Agent.start(options("public", of -> of.withReporting(reporting)));
        try (TestDoor door = door("engine-1")) {
            door.begin(7, "private", "public", true, 3, TestDoor.prompt(1)).step(0, 0, 0);
            door.extend(7, 0, 2, 3).end(7, 1).step(STEP_NANOS, 1, 1);
            door.serve("scopeless", "t".repeat(250), 1, 2, 3);
            door.serve("reported", "public", 1, 2, 3);
            await().atMost(Duration.ofSeconds(60)).until(() -> text(spool).contains("reported"));
            assertThat(text(spool)).doesNotContain("private", "scopeless");
        }
    }

    private static ReportingOptions withoutBroker(Path spool) {
        return new ReportingOptions(
                KafkaAccess.of("127.0.0.1:1"),
                Optional.empty(),
                Optional.of(spool),
                Reporter.SPOOL_BYTES_MIN,
                true,
                Duration.ZERO);
    }

    private static String text(Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }

    @Test
    void endedRequestsAreAcknowledged() throws IOException {
        try (TestDoor door = door("engine-1")) {
            door.serve("a", "", 1, 2, 3, 4);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                TestDoor.Reply reply = door.step(0, 0, 0);
                return reply.reports() == reply.sequence() - 1;
            });
        }
    }

    @Test
    void aKilledAgentsSocketIsTakenOverAndALivingOnesIsNot() throws IOException {
        assertThatThrownBy(() -> Agent.start(options("")).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another agent listens");
        agent.close();
        killedListener().close();
        assertThat(socket).exists();
        agent = Agent.start(options(""));
        door("engine-1").close();
    }

    private ServerSocketChannel killedListener() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    @Test
    void aFileThatIsNoSocketIsLeftAlone() throws IOException {
        agent.close();
        Files.writeString(socket, "notes");
        assertThatThrownBy(() -> Agent.start(options("")).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a socket");
        assertThat(socket).hasContent("notes");
        Files.delete(socket);
    }

    @Test
    void anAgentWhoseSocketIsGoneIsNotLiveAndLeavesAnothersAlone() throws IOException {
        assertThat(agent.live()).isTrue();
        Files.delete(socket);
        assertThat(agent.live()).isFalse();
        try (ServerSocketChannel other = killedListener()) {
            assertThat(other.isOpen()).isTrue();
            assertThat(agent.live()).isFalse();
            agent.close();
            assertThat(socket).exists();
        }
        Files.delete(socket);
    }

    /** Once a broker answers, it gets ready: {@code AgentPromptsIT}. */
    @Test
    void whileNoBrokerWasReachedItServesAndIsNotReady() throws IOException {
        ReportingOptions reporting = withoutBroker(folder.resolve("spool"));
        agent.close();
        agent = Agent.start(options("public", of -> of.withReporting(reporting)));
        assertThat(ready()).as("no engine has named a model yet").isTrue();
        try (TestDoor door = door("engine-1")) {
            assertThat(door.serve("a", "", 1, 2, 3)).isPositive();
            assertThat(ready()).isFalse();
            assertThat(page("/health/live")).isEqualTo("ok");
        }
    }

    @Test
    void withoutItsSocketItIsNotReady() throws IOException {
        assertThat(ready()).isTrue();
        Files.delete(socket);
        assertThat(ready()).isFalse();
    }

    /** As operators are told: the answer, the page for people, and the agent itself say the same. */
    private boolean ready() throws IOException {
        boolean ready = agent.ready();
        assertThat(page("/health/ready")).isEqualTo(ready ? "ok" : "not yet");
        assertThat(page("/").lines().findFirst().orElseThrow()).endsWith(ready ? ", ready" : ", not ready");
        assertThat(response("/health/ready").statusCode()).isEqualTo(ready ? 200 : 503);
        return ready;
    }

    @Test
    void operatorsSeeWhatItDoes() throws IOException {
        int[] answer = new Random(5).ints(50, 0, VOCABULARY).toArray();
        try (TestDoor door = door("engine-1")) {
            door.serve("a", "", answer);
            door.serve("b", "", answer);
            door.awaitRemembered();
            assertThat(page("/")).contains("engine-1: 0 requests running", "llama@1/public");
            assertThat(page("/metrics"))
                    .contains("tailrace_requests_total{reason=\"stop\",worker=\"agent-1\"} 2.0")
                    .contains("tailrace_response_tokens_total{lane=\"llama@1/public\",worker=\"agent-1\"} 100.0");
            assertThat(page("/health/ready")).isEqualTo("ok");
        }
    }

    private String page(String path) throws IOException {
        return response(path).body();
    }

    private HttpResponse<String> response(String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + agent.port() + path);
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
