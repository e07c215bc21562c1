package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.EveryNthStep;
import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.draft.internal.DrafterMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What requests say while they draft nothing is taken in between the steps, so that no engine waits for it when they draft again. */
class PausedRequestsTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, false, "engine", "llama", "1", "sha256:0");
    private static final int REQUESTS = 3;
    private static final int PAUSE = 40;
    private static final int LOOKS = 5;
    private static final int PERIOD = 7;

    @TempDir
    private Path folder;

    private final StepWriter step = new StepWriter();
    private final FrameWriter reply = new FrameWriter();
    private final int[] says = new int[(PAUSE + 1) * LOOKS + 4 * PERIOD];
    private boolean inStep;
    private int tokensInStepMax;
    private int tokens;
    private int draftsInVain;
    private int drafted;

    @Test
    void aRequestThatLooksAgainHasTakenInMostOfWhatItHasSaid() throws Exception {
        Arrays.setAll(says, at -> at % PERIOD);
        ClientOptions options =
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        LiveSnapshot live = new LiveSnapshot(new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
        LaneDrafts drafts = new LaneDrafts(
                "adaptive", scope -> live, new LaneMakers(REQUESTS, () -> DrafterMaker.of(Recorder::new)));
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps =
                        new EngineSteps(client, HELLO, "public", new EveryNthStep(PAUSE + 1), this, drafts)) {
            step.next(0, 0, 0, 64);
            for (int request = 1; request <= REQUESTS; request++) {
                step.begin(request, "r" + request, "public", Arrays.copyOf(says, 4 * PERIOD))
                        .draft(request, 4);
            }
            take(steps);
            for (int said = 4 * PERIOD; said < says.length; said++) {
                step.next(10_000_000, REQUESTS, REQUESTS, 64);
                for (int request = 1; request <= REQUESTS; request++) {
                    step.extend(request, 0, says, said, said + 1).draft(request, 4);
                }
                take(steps);
            }
        }
        assertThat(drafted).isEqualTo(LOOKS * REQUESTS);
        assertThat(draftsInVain).isZero();
        assertThat(tokens).isGreaterThan(PAUSE * (LOOKS - 1) * REQUESTS);
        assertThat(tokensInStepMax).isBetween(1, 10);
    }

    private void take(EngineSteps steps) throws Exception {
        StepFrame told = StepFrame.read(step.asRead());
        inStep = true;
        steps.step(told, 0, reply);
        inStep = false;
        steps.afterReply();
    }

    @Override
    public void drafted(long nanos) {
        assertThat(nanos).isPositive();
    }

    @Override
    public void came(DraftAnswer what) {
        assertThat(what).isNotEqualTo(DraftAnswer.NOTHING);
    }

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        assertThat(request.reason()).isEqualTo(EndReason.STOP);
    }

    /** A drafter that counts what it is told, and whether an engine waits meanwhile. */
    private final class Recorder implements Drafter {
        private final AdaptiveDrafter drafter;

        Recorder(DraftPolicy policy) {
            drafter = new AdaptiveDrafter(Mixer.defaults(), policy);
        }

        private void told(int count) {
            tokens += count;
            if (inStep) {
                tokensInStepMax = Math.max(tokensInStepMax, count);
            }
        }

        @Override
        public void begin(int[] prompt, int length) {
            drafter.begin(prompt, length);
        }

        @Override
        public void prepare(LaneIndex index) {
            drafter.prepare(index);
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            Draft draft = drafter.draft(index, budget);
            drafted++;
            draftsInVain += draft.size() == 0 ? 1 : 0;
            return draft;
        }

        @Override
        public void verified(int[] said, int length) {
            told(length);
            drafter.verified(said, length);
        }

        @Override
        public void emitted(int[] said, int length) {
            told(length);
            drafter.emitted(said, length);
        }

        @Override
        public void learn() {
            drafter.learn();
        }

        @Override
        public void end() {
            drafter.end();
        }
    }
}
