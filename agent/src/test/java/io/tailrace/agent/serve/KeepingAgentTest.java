package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent without a fleet, across restarts. */
class KeepingAgentTest {
    private static final int VOCABULARY = 1_000;
    /** Four bytes are such a token by chance once in 67 million. */
    private static final int CANARIES_FROM = 0x5a3c_0000;

    private static final float FLOOR = 0.1f;
    private static final int[] ANSWER = new Random(1).ints(200, 0, VOCABULARY).toArray();

    @TempDir
    private Path folder;

    private Agent start(Path kept) throws IOException {
        return Agent.start(new AgentOptions(
                "agent-1",
                ListenAddress.parse(folder.resolve("agent.sock").toString()),
                "public",
                model -> ClientOptions.alone(
                        "agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache"))),
                () -> BudgetChoice.fixed(FLOOR), // by no clock: the first draft of a JVM may take as long as a step
                Optional.of(kept),
                Optional.empty(),
                "127.0.0.1",
                0));
    }

    /** Steps of a request that an engine serves. */
    private int serve(String scope) throws IOException {
        try (TestDoor door = new TestDoor(folder.resolve("agent.sock"))) {
            assertThat(door.hello("engine-1", VOCABULARY, "llama", "sha256:0")).isNull();
            int steps = door.serve("r", scope, ANSWER);
            door.awaitRemembered();
            return steps;
        }
    }

    @Test
    void theNextOneDraftsFromWhatItKept() throws IOException {
        Path kept = folder.resolve("kept");
        try (Agent first = start(kept)) {
            assertThat(first.live()).isTrue();
            assertThat(serve("")).isGreaterThan(150);
        }
        try (Agent second = start(kept)) {
            assertThat(second.live()).isTrue();
            assertThat(serve("")).isLessThan(60);
            assertThat(serve("other"))
                    .as("another scope's answers are nobody else's")
                    .isGreaterThan(150);
        }
        try (Agent third = start(kept)) {
            assertThat(third.live()).isTrue();
            assertThat(serve("other")).isLessThan(60);
        }
    }

    @Test
    void whatItKnewOfPromptsIsKeptToo() throws IOException {
        Path kept = folder.resolve("kept");
        try (Agent first = start(kept)) {
            assertThat(first.live()).isTrue();
            serve("");
        }
        Path written = all(kept).stream()
                .filter(file -> file.toString().endsWith(".segment"))
                .findFirst()
                .orElseThrow();
        try (Segment segment = Segment.inspect(written)) {
            int[] prompt = Arrays.copyOf(TestDoor.prompt(ANSWER[0]), 3);
            assertThat(segment.answer(0).promptTail()).isEqualTo(prompt);
            assertThat(segment.answer(0).signature()).isEqualTo(PromptSignature.of(prompt));
            assertThat(segment.answer(0).copied()).isEqualTo(RememberedAnswer.copied(prompt, ANSWER));
        }
        try (Agent second = start(kept);
                TestDoor door = new TestDoor(folder.resolve("agent.sock"))) {
            assertThat(second.live()).isTrue();
            assertThat(door.hello("engine-1", VOCABULARY, "llama", "sha256:0")).isNull();
            TestDoor.Reply reply =
                    door.begin(1, "s", "", 3, 7, 8, 9).draft(1, 16).step(0, 0, 0);
            assertThat(reply.drafts().get(0).tokens())
                    .as("the first token after a prompt like that")
                    .startsWith(ANSWER[0]);
        }
    }

    /** Tokens that nothing else says stand in no file of the agent, its cache included. */
    @Test
    void ofAPromptNoMoreThanTheTailIsInAnyFile() throws IOException {
        Path kept = folder.resolve("kept");
        int[] prompt = IntStream.range(CANARIES_FROM, CANARIES_FROM + 64).toArray();
        try (Agent agent = start(kept);
                TestDoor door = new TestDoor(folder.resolve("agent.sock"))) {
            assertThat(agent.live()).isTrue();
            assertThat(door.hello("engine-1", CANARIES_FROM + 100, "llama", "sha256:0"))
                    .isNull();
            door.begin(1, "r", "", prompt.length, prompt).step(0, 0, 0);
            door.extend(1, 0, ANSWER).end(1, 1).step(10_000_000, 1, 1);
            door.awaitRemembered();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(canaries()).isNotEmpty());
            assertThat(canaries()).isEqualTo(tail(prompt));
        }
        assertThat(canaries()).isEqualTo(tail(prompt));
    }

    private static Set<Integer> tail(int[] prompt) {
        return Arrays.stream(prompt, prompt.length - RememberedAnswer.TAIL_TOKENS, prompt.length)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those that stand as four bytes of either order in any file. */
    private Set<Integer> canaries() throws IOException {
        Set<Integer> found = new TreeSet<>();
        for (Path file : all(folder)) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            for (int at = 0; at + Integer.BYTES <= bytes.limit(); at++) {
                IntStream.of(bytes.getInt(at), Integer.reverseBytes(bytes.getInt(at)))
                        .filter(token -> token >= CANARIES_FROM && token < CANARIES_FROM + 64)
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** A process that is killed leaves its folder as it is at that moment. */
    @Test
    @Tag("full")
    void afterAKillTheNextOneDraftsFromWhatWasWritten() throws IOException {
        Path kept = folder.resolve("kept");
        Path left = folder.resolve("left");
        try (Agent killed = start(kept)) {
            assertThat(killed.live()).isTrue();
            serve("");
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            all(kept).stream().anyMatch(file -> file.toString().endsWith(".segment")));
            for (Path file : all(kept)) {
                Path copy = left.resolve(kept.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        try (Agent next = start(left)) {
            assertThat(next.live()).isTrue();
            assertThat(serve("")).isLessThan(60);
        }
    }

    private static List<Path> all(Path in) throws IOException {
        try (Stream<Path> files = Files.walk(in)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
