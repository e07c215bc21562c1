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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Steps of an engine that does not exist, whose answers repeat phrases. They make the JVM compile what drafts before an engine asks: a process that
 * has just started would answer its first thousands of steps too late. And they bring that code back into a processor's caches, which other
 * programs have had since an engine's last step. One thread.
 */
public final class WarmUp implements EngineSteps.Listener, AutoCloseable {
    private static final int VOCABULARY = 4_096;
    private static final int WORDS = 400;
    private static final int ANSWER_TOKENS = 240;
    private static final int PHRASE_TOKENS = 12;
    private static final int PHRASES = 120;
    /** Each engine has its own rehearsal, and there may be many. */
    private static final int REMEMBERED_MAX = 100;

    private static final int DRAFT_TOKENS = 16;
    private static final int ACCEPTED_MAX = 3;
    private static final long STEP_NANOS = 8_000_000;
    private static final long ROW_NANOS = 200_000;
    private static final int REQUEST = 1;
    private static final String NAME = "warm-up";

    private final TailraceClient client;
    private final EngineSteps engine;
    private final Random random = new Random(1);
    private final int[][] phrases = new int[PHRASES][];
    private final StepWriter step = new StepWriter();
    private final FrameWriter reply = new FrameWriter();
    private int requests;
    private int[] answer = new int[0];
    private int said;
    private long steps;

    /** An engine that has not taken a step. */
    public WarmUp() throws IOException {
        Path unused = Path.of(System.getProperty("java.io.tmpdir"), "tailrace-" + NAME);
        ServedModel model = new ServedModel(NAME, "1", VOCABULARY, "none");
        // A limit of its own: clients of one process share the room that they are given alike.
        FollowOptions follow = FollowOptions.of(unused.toUri(), unused).withFreshTokensAllMax(Long.MAX_VALUE);
        client = TailraceClient.open(ClientOptions.alone(NAME, model, follow));
        Hello hello = new Hello(VOCABULARY, 1, DRAFT_TOKENS, false, NAME, NAME, "1", "none");
        engine = new EngineSteps(client, hello, NAME, BudgetChoice.measured(), this);
        Arrays.setAll(phrases, phrase -> random.ints(PHRASE_TOKENS, 0, WORDS).toArray());
    }

    /**
     * Drafts in vain for some time.
     *
     * @param nanosMax about so long
     * @return steps made
     */
    public static long run(long nanosMax) throws IOException {
        long until = System.nanoTime() + nanosMax;
        try (WarmUp engine = new WarmUp()) {
            while (System.nanoTime() - until < 0) {
                engine.step();
            }
            return engine.steps;
        }
    }

    /** Drafts for one step. */
    public void step() {
        int accepted = random.nextInt(ACCEPTED_MAX + 1);
        int end = Math.min(answer.length, said + accepted + 1);
        if (said == answer.length) {
            answer = answer();
            end = 1;
            step.next(0, 0, 0, DRAFT_TOKENS)
                    .begin(REQUEST, Integer.toString(requests++), NAME, Arrays.copyOf(answer, 1))
                    .draft(REQUEST, DRAFT_TOKENS);
        } else {
            step.next(STEP_NANOS + ROW_NANOS * accepted, 1, 1 + accepted, DRAFT_TOKENS)
                    .extend(REQUEST, accepted, answer, said, end);
            if (end == answer.length) {
                step.end(REQUEST, EndReason.STOP, steps);
            } else {
                step.draft(REQUEST, DRAFT_TOKENS);
            }
        }
        said = end;
        take();
    }

    private void take() {
        try {
            engine.step(StepFrame.read(step.asRead()), steps, reply);
        } catch (RefusedEngineException e) {
            throw new IllegalStateException("the agent refuses its own steps", e);
        }
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
    public void drafted(long nanos) {
        // Nobody reads it.
    }

    @Override
    public void came(DraftAnswer what) {
        // Nobody reads it.
    }

    @Override
    public void ended(Hello hello, EngineSteps.Ended request, long sequence) {
        if (requests <= REMEMBERED_MAX) {
            client.remember(request.served());
        }
    }

    @Override
    public void close() {
        try (client) {
            engine.close();
        }
    }
}
