package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines connect at a port of this host, where a socket's path is not what they can reach. */
class LoopbackAgentTest {
    private static final int VOCABULARY = 1_000;
    private static final float FLOOR = 0.1f;

    @TempDir
    private Path folder;

    private Agent agent(String listen) throws IOException {
        return Agent.start(new AgentOptions(
                "agent-1",
                ListenAddress.parse(listen),
                "public",
                model -> ClientOptions.alone(
                        "agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache"))),
                () -> BudgetChoice.fixed(FLOOR),
                Optional.empty(),
                Optional.empty(),
                "127.0.0.1",
                0));
    }

    private static InetSocketAddress at(String host, String address) {
        return new InetSocketAddress(host, URI.create(address).getPort());
    }

    private static TestDoor door(String address) throws IOException {
        TestDoor door = new TestDoor(at("127.0.0.1", address));
        assertThat(door.hello("engine-1", VOCABULARY, "llama", "sha256:0")).isNull();
        return door;
    }

    @Test
    void anEngineDraftsByAPortAndAgainWhenTheAgentIsBackThere() throws IOException {
        int[] answer = new Random(1).ints(200, 0, VOCABULARY).toArray();
        String address;
        try (Agent agent = agentAtPortOfItsOwn()) {
            address = agent.address();
            draftsTheSecondTime(address, answer);
        }
        try (Agent again = agent(address)) {
            assertThat(again.address()).isEqualTo(address);
            draftsTheSecondTime(address, answer);
        }
    }

    @Test
    void thePortIsFreeOnceTheAgentIsClosed() throws IOException {
        String address;
        try (Agent agent = agentAtPortOfItsOwn()) {
            address = agent.address();
        }
        for (int again = 0; again < 300; again++) {
            agent(address).close();
        }
    }

    /** At a port that no system gives away by itself: it is still free when the agent comes back. */
    private Agent agentAtPortOfItsOwn() throws IOException {
        Random random = new Random();
        for (int tries = 1; ; tries++) {
            try {
                return agent("tcp://127.0.0.1:" + random.nextInt(20_000, 30_000));
            } catch (IOException taken) {
                if (tries == 20) {
                    throw taken;
                }
            }
        }
    }

    @Test
    void withoutAPortItTakesAFreeOneAndSaysWhich() throws IOException {
        try (Agent agent = agent("tcp://127.0.0.1:0")) {
            assertThat(agent.address()).matches("tcp://127\\.0\\.0\\.1:[1-9][0-9]*");
        }
    }

    private static void draftsTheSecondTime(String address, int[] answer) throws IOException {
        try (TestDoor door = door(address)) {
            assertThat(door.serve("a", "", answer)).isGreaterThan(150);
            door.awaitRemembered();
            assertThat(door.serve("b", "", answer)).isLessThan(60);
        }
    }

    @Test
    void whoComesByAnotherAddressOfThisHostIsNotLetIn() throws IOException {
        List<InetAddress> others = new ArrayList<>(NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .toList());
        if (OS.LINUX.isCurrentOs()) { // each address of 127.0.0.0/8 is one of its own there
            others.add(InetAddress.getByName("127.0.0.2"));
        }
        try (Agent agent = agent("tcp://localhost:0")) {
            for (InetAddress other : others) {
                assertThatThrownBy(() -> new TestDoor(at(other.getHostAddress(), agent.address())))
                        .as("%s", other)
                        .isInstanceOf(ConnectException.class);
            }
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() throws IOException {
        try (Agent agent = agent("tcp://127.0.0.1:0")) {
            String taken = agent.address();
            assertThatThrownBy(() -> agent(taken).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("engines cannot connect at");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://0.0.0.0:7001",
                "tcp://10.0.0.1:7001",
                "tcp://[::]:7001",
                "tcp://[::1]:7001",
                "unix:///run/agent.sock",
                "http://127.0.0.1:7001",
                "tcp://example.org:7001",
                "tcp://127.0.0.1",
                "tcp://127.0.0.1:65536",
                "tcp:127.0.0.1:7001"
            })
    void anAddressThatIsNotOfThisHostAloneIsRefused(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tcp://127.0.0.1:PORT, got '" + text + "'");
    }
}
