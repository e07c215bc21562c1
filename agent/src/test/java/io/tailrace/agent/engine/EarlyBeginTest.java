package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.testkit.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two engines serve the same requests. One begins each in the step in which it speaks first, the other begins most of them early, and asks in the
 * middle of some steps what is acknowledged. Their drafts are the same, from answers that both knew beforehand.
 */
class EarlyBeginTest {
    private static final Hello HELLO = new Hello(1_000, 8, 16, true, "engine", "llama", "1", "sha256:0");
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final int DRAFT_TOKENS = 16;
    private static final int RUNNING_MAX = 5;
    private static final int WORDS = 12;
    private static final int REQUESTS = 60;
    /** Where DRAFTS has the number of its drafts: behind the header, what is reported and flags. */
    private static final int DRAFTS_AT = 16 + 8 + 4;

    @TempDir
    private Path folder;

    private int drafted;
    private int earlyBegins;

    @Test
    void earlyBeginsChangeNoDraft() {
        Cases.forEachSeed(20, seed -> {
            try (Served told = new Served(folder.resolve("told-" + seed));
                    Served early = new Served(folder.resolve("early-" + seed))) {
                Random random = new Random(seed);
                serve(random, told, early);
                told.remember();
                early.remember();
                serve(random, told, early);
                assertThat(early.ended).isEqualTo(told.ended);
            }
        });
        assertThat(drafted).isGreaterThan(5_000);
        assertThat(earlyBegins).isGreaterThan(500);
    }

    private void serve(Random random, Served told, Served early) throws RefusedEngineException {
        Map<Integer, Running> waiting = new TreeMap<>();
        Map<Integer, Running> running = new TreeMap<>();
        for (int begun = 0; begun < REQUESTS || !running.isEmpty() || !waiting.isEmpty(); ) {
            while (begun < REQUESTS && running.size() + waiting.size() < RUNNING_MAX && random.nextInt(3) > 0) {
                waiting.put(++begun, new Running(begun, random));
            }
            for (Running request : waiting.values()) {
                if (random.nextInt(3) > 0) {
                    early.begin(request);
                }
            }
            if (!early.operations.isEmpty()) {
                earlyBegins++;
                assertThat(early.step(0, 0, 0)).isEqualTo(Map.of());
            }
            if (random.nextInt(4) == 0) {
                assertThat(early.step(0, 0, 0)).isEqualTo(Map.of());
            }
            for (Running request : List.copyOf(waiting.values())) {
                if (random.nextInt(4) > 0) { // else its prompt takes longer
                    running.put(request.number, waiting.remove(request.number));
                    told.begin(request);
                    early.begin(request);
                }
            }
            int requests = running.size();
            int rows = 0;
            for (Running request : List.copyOf(running.values())) {
                rows += request.speak(random, told, early);
                if (request.hasEnded()) {
                    running.remove(request.number);
                }
            }
            Map<Integer, List<Integer>> drafts = told.step(5_000_000, requests, rows);
            assertThat(early.step(5_000_000, requests, rows)).isEqualTo(drafts);
            for (Running request : running.values()) {
                request.draft = drafts.getOrDefault(request.number, List.of());
                drafted += request.draft.size();
            }
        }
    }

    /** A request, its answer, and how much of that is said. */
    private static final class Running {
        private final int number;
        private final int[] prompt;
        private final int[] answer;
        private int said;
        private boolean aborted;
        private List<Integer> draft = List.of();

        Running(int number, Random random) {
            this.number = number;
            this.prompt = words(random, 1 + random.nextInt(20));
            this.answer = words(random, 2 + random.nextInt(40));
        }

        private static int[] words(Random random, int count) {
            return random.ints(count, 0, WORDS).toArray();
        }

        boolean hasEnded() {
            return aborted || said == answer.length;
        }

        /** What one step says, with some of the draft verified along its first path; the rows that it took. */
        int speak(Random random, Served... engines) {
            int verified = random.nextInt(draft.size() + 1);
            int from = said;
            int accepted = random.nextInt(verified + 1);
            said = Math.min(answer.length, said + accepted + 1);
            aborted = from > 0 && random.nextInt(40) == 0;
            boolean asks = random.nextInt(5) > 0;
            for (Served engine : engines) {
                int end = said;
                engine.operations.add(step -> step.extend(number, verified, answer, from, end));
                if (hasEnded()) {
                    engine.operations.add(step -> step.end(number, EndReason.STOP, 1_000));
                } else if (asks) {
                    engine.operations.add(step -> step.draft(number, DRAFT_TOKENS));
                }
            }
            return 1 + verified;
        }
    }

    /** What came of a request. */
    private record Outcome(
            String id, List<Integer> said, int steps, int drafted, int accepted, double logLoss, long predictions) {
        static Outcome of(EngineSteps.Ended ended) {
            DecodeTally tally = ended.served().decoded().tally();
            return new Outcome(
                    ended.served().requestId(),
                    Arrays.stream(ended.served().decoded().output()).boxed().toList(),
                    tally.steps(),
                    tally.drafted(),
                    tally.accepted(),
                    tally.logLoss(),
                    tally.predictions());
        }
    }

    /** An engine's steps at an agent of its own. */
    private static final class Served implements EngineSteps.Listener, AutoCloseable {
        private final TailraceClient client;
        private final EngineSteps steps;
        private final StepWriter step = new StepWriter();
        private final FrameWriter reply = new FrameWriter();
        private final Set<Integer> begun = new HashSet<>();
        private final List<Consumer<StepWriter>> operations = new ArrayList<>();
        private final List<Outcome> ended = new ArrayList<>();
        private final List<ServedRequest> unremembered = new ArrayList<>();

        Served(Path cache) throws IOException {
            client = TailraceClient.open(ClientOptions.alone("agent", MODEL, FollowOptions.of(cache.toUri(), cache)));
            steps = new EngineSteps(client, HELLO, "public", BudgetChoice.fixed(), this);
        }

        void begin(Running request) {
            if (begun.add(request.number)) {
                operations.add(to -> to.begin(request.number, "r" + request.number, "public", request.prompt));
            }
        }

        /** The drafts' tokens, by request. */
        Map<Integer, List<Integer>> step(long nanos, int requests, int rows) throws RefusedEngineException {
            step.next(nanos, requests, rows, 1_000);
            operations.forEach(operation -> operation.accept(step));
            operations.clear();
            steps.step(StepFrame.read(step.asRead()), 0, reply);
            ByteBuffer answer =
                    reply.end().duplicate().order(ByteOrder.LITTLE_ENDIAN).position(DRAFTS_AT);
            Map<Integer, List<Integer>> drafts = new TreeMap<>();
            for (int left = answer.getInt(); left > 0; left--) {
                int request = answer.getInt();
                int[] tokens = new int[answer.getInt()];
                Arrays.setAll(tokens, token -> answer.getInt());
                answer.position(answer.position() + 3 * Integer.BYTES * tokens.length);
                drafts.put(request, Arrays.stream(tokens).boxed().toList());
            }
            steps.afterReply();
            return drafts;
        }

        @Override
        public void drafted(long nanos) {
            // Times are others' concern.
        }

        @Override
        public void came(DraftAnswer what) {
            // Read from the reply.
        }

        @Override
        public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
            ended.add(Outcome.of(request));
            unremembered.add(request.served());
        }

        void remember() {
            unremembered.forEach(client::remember);
            begun.clear();
        }

        @Override
        public void close() {
            steps.close();
            client.close();
        }
    }
}
