package io.tailrace.agent.engine;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Makes the JVM compile what drafts before an engine asks: steps of an engine that does not exist, whose answers repeat phrases. A process that has
 * just started would answer its first thousands of steps too late, beside an engine that needs the processors itself.
 */
public final class WarmUp implements EngineSteps.Listener {
    private static final int VOCABULARY = 4_096;
    private static final int WORDS = 400;
    private static final int ANSWER_TOKENS = 240;
    private static final int PHRASE_TOKENS = 12;
    private static final int PHRASES = 120;
    private static final int DRAFT_TOKENS = 16;
    private static final int ACCEPTED_MAX = 3;
    private static final long STEP_NANOS = 8_000_000;
    private static final long ROW_NANOS = 200_000;
    private static final int REQUEST = 1;
    private static final String NAME = "warm-up";

    private final TailraceClient client;
    private final Random random = new Random(1);
    private final int[][] phrases = new int[PHRASES][];
    private final StepWriter step = new StepWriter();
    private final FrameWriter reply = new FrameWriter();
    private long steps;

    private WarmUp(TailraceClient client) {
        this.client = client;
        Arrays.setAll(phrases, phrase -> random.ints(PHRASE_TOKENS, 0, WORDS).toArray());
    }

    /**
     * Drafts in vain for some time.
     *
     * @param nanosMax about so long
     * @return steps made
     */
    public static long run(long nanosMax) throws IOException {
        Path folder = Files.createTempDirectory("tailrace-" + NAME);
        ServedModel model = new ServedModel(NAME, "1", VOCABULARY, "none");
        ClientOptions options = ClientOptions.alone(NAME, model, FollowOptions.of(folder.toUri(), folder));
        try (TailraceClient client = TailraceClient.open(options)) {
            return new WarmUp(client).runUntil(System.nanoTime() + nanosMax);
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    private long runUntil(long untilNanos) {
        Hello hello = new Hello(VOCABULARY, 1, DRAFT_TOKENS, false, NAME, NAME, "1", "none");
        try (EngineSteps engine = new EngineSteps(client, hello, NAME, BudgetChoice.measured(), this)) {
            for (int request = 0; System.nanoTime() - untilNanos < 0; request++) {
                serve(engine, Integer.toString(request));
            }
        } catch (RefusedEngineException e) {
            throw new IllegalStateException("the agent refuses its own steps", e);
        }
        return steps;
    }

    private void serve(EngineSteps engine, String id) throws RefusedEngineException {
        int[] answer = answer();
        step.next(0, 0, 0, DRAFT_TOKENS)
                .begin(REQUEST, id, NAME, Arrays.copyOf(answer, 1))
                .draft(REQUEST, DRAFT_TOKENS);
        take(engine);
        for (int at = 1; at < answer.length; ) {
            int accepted = random.nextInt(ACCEPTED_MAX + 1);
            int end = Math.min(answer.length, at + accepted + 1);
            step.next(STEP_NANOS + ROW_NANOS * accepted, 1, 1 + accepted, DRAFT_TOKENS)
                    .extend(REQUEST, accepted, answer, at, end);
            if (end == answer.length) {
                step.end(REQUEST, EndReason.STOP, steps);
            } else {
                step.draft(REQUEST, DRAFT_TOKENS);
            }
            take(engine);
            at = end;
        }
    }

    private void take(EngineSteps engine) throws RefusedEngineException {
        engine.step(StepFrame.read(step.asRead()), steps, reply);
        engine.afterReply();
        steps++;
    }

    private int[] answer() {
        int[] answer = new int[ANSWER_TOKENS];
        for (int at = 0; at < answer.length; at += PHRASE_TOKENS) {
            System.arraycopy(phrases[random.nextInt(PHRASES)], 0, answer, at, PHRASE_TOKENS);
        }
        return answer;
    }

    @Override
    public void drafted(int requests, long nanos) {
        // Nobody reads it.
    }

    @Override
    public void ended(Hello hello, EngineSteps.Ended request, long sequence) {
        client.remember(request.served());
    }
}
