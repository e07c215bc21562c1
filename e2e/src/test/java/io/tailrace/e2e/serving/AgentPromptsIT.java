package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.serve.Agent;
import io.tailrace.agent.serve.AgentOptions;
import io.tailrace.agent.serve.ListenAddress;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.e2e.loop.Books;
import io.tailrace.e2e.loop.CanaryWatch;
import io.tailrace.e2e.loop.PromptCanaries;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalLoop;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.RememberedAnswer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent in a fleet: of its engines' prompts only its spool has whole ones, until Kafka has them, and its cache no more than the tails. It is
 * not ready before it has read what was announced.
 */
@Tag("full")
class AgentPromptsIT {
    private static final ServedModel MODEL = new ServedModel("tiny", "1", 40_000, "test-tokenizer");
    private static final int PROMPT_TOKENS = 24;
    private static final PromptCanaries CANARIES = new PromptCanaries(38_000, 80, PROMPT_TOKENS);
    private static final Duration DIGESTED_MAX = Duration.ofSeconds(90);
    private static final String CACHE = "agent" + File.separator + "cache";
    private static final String SPOOL = "agent" + File.separator + "spool";

    @TempDir
    Path folder;

    @TempDir
    Path sockets;

    private final Random random = new Random(20_261_130L);
    private final Set<Integer> tails = new TreeSet<>();
    private int asked;

    @Test
    void onlyTheSpoolHasPromptsAndOnlyUntilTheyAreSent() throws Exception {
        LocalLoop.Options options = LoopUnderLoad.options(folder.resolve("loop"), MODEL)
                .withJobArguments("--prompt-tail", "quiet=0", "--prompt-signature", "quiet=off");
        try (LocalLoop loop = LocalLoop.start(options);
                LoopObserver observer = LoopObserver.of(loop.bootstrap());
                CanaryWatch watch = new CanaryWatch(loop.bootstrap(), CANARIES, folder)) {
            loop.stopBroker();
            try (Agent agent = agent(loop);
                    PlainDoor door = new PlainDoor(sockets.resolve("agent.sock"), "engine", MODEL)) {
                Set<Integer> whole = ask(door);
                assertThat(agent.live()).isTrue();
                assertThat(agent.ready()).as("no broker was reached").isFalse();
                awaitSpool(watch, whole);
                loop.startBroker();
                Awaitility.await("the announcements are read")
                        .atMost(DIGESTED_MAX)
                        .until(agent::ready);
                ask(door);
                awaitDigested(observer, watch);

                loop.stopBroker();
                awaitSpool(watch, ask(door));
                assertThat(agent.ready()).as("what was read is still served").isTrue();
                loop.startBroker();
                awaitDigested(observer, watch);
            }
            Map<String, Set<Integer>> ever = new TreeMap<>(watch.ever());
            assertThat(ever.remove(SPOOL)).isNotEmpty();
            assertThat(ever.get(CACHE)).isEqualTo(tails);
            assertThat(ever)
                    .allSatisfy((place, found) -> assertThat(tails).as(place).containsAll(found));
        }
    }

    /** Some requests in each scope; the prompts' tokens. */
    private Set<Integer> ask(PlainDoor door) throws IOException {
        Set<Integer> whole = new TreeSet<>();
        for (int i = 0; i < 6; i++, asked++) {
            String scope = i % 2 == 0 ? "usual" : "quiet";
            door.serve(
                    "r" + asked,
                    scope,
                    CANARIES.prompt(asked),
                    random.ints(50, 0, 30_000).toArray());
            whole.addAll(CANARIES.tail(asked, PROMPT_TOKENS));
            if (scope.equals("usual")) {
                tails.addAll(CANARIES.tail(asked, RememberedAnswer.TAIL_TOKENS));
            }
        }
        return whole;
    }

    private void awaitSpool(CanaryWatch watch, Set<Integer> whole) {
        Awaitility.await("a spool that holds what Kafka cannot have")
                .atMost(DIGESTED_MAX)
                .untilAsserted(() ->
                        assertThat(watch.now().getOrDefault(SPOOL, Set.of())).containsAll(whole));
    }

    /** All that was asked is counted, in the agent's cache, and no longer in its spool. */
    private void awaitDigested(LoopObserver observer, CanaryWatch watch) {
        Books.awaitClosed(observer, DIGESTED_MAX, records -> records.read() >= asked);
        Awaitility.await("tails in the cache, and no prompt in the spool")
                .atMost(DIGESTED_MAX)
                .untilAsserted(() -> {
                    Map<String, Set<Integer>> now = watch.now();
                    assertThat(now.get(CACHE)).isEqualTo(tails);
                    assertThat(now.getOrDefault(SPOOL, Set.of())).isEmpty();
                });
    }

    private Agent agent(LocalLoop loop) throws IOException {
        Path own = folder.resolve("agent");
        FollowOptions follow = FollowOptions.of(loop.store(), own.resolve("cache"))
                .withPrompts(KeptOfPrompts.parse(List.of("quiet=0"), List.of("quiet=off")));
        return Agent.start(new AgentOptions(
                "agent",
                ListenAddress.parse(sockets.resolve("agent.sock").toString()),
                "usual",
                model -> ClientOptions.alone("agent", model, follow)
                        .withReporting(ReportingOptions.of(KafkaAccess.of(loop.bootstrap()), own.resolve("spool"))),
                BudgetChoice::measured,
                Optional.empty(),
                Optional.empty(),
                "127.0.0.1",
                0));
    }
}
