package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.agent.engine.DraftAnswer;
import io.tailrace.agent.engine.EngineSteps;
import io.tailrace.agent.protocol.BytesChannel;
import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameChannel;
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
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine's steps, whatever they ask for in whatever order. Each session has a client of its own that knows nothing. */
class EngineSessionFuzzTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, true, "engine", "llama", "1", "sha256:0");

    @TempDir
    static Path folder;

    private static TailraceClient client;
    private int answered;

    @BeforeAll
    static void open() throws IOException {
        client = TailraceClient.open(
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache"))));
    }

    @AfterAll
    static void close() {
        client.close();
    }

    static Stream<byte[]> seeds() {
        int[] answer = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
        StepWriter one = new StepWriter();
        ByteArrayOutputStream session = new ByteArrayOutputStream();
        add(one.next(0, 0, 0, 32).begin(1, "a", "public", answer).draft(1, 16), session);
        add(one.next(1_000_000, 1, 3, 32).extend(1, 2, answer, 0, 3).draft(1, 16), session);
        add(one.next(1_000_000, 1, 1, 32).begin(2, "b", "", answer).draft(2, 4).draft(1, 1), session);
        add(
                one.next(2_000_000, 2, 5, 8)
                        .extend(2, 0, answer, 3, 4)
                        .end(1, EndReason.STOP, 7)
                        .draft(2, 16),
                session);
        StepWriter other = new StepWriter();
        ByteArrayOutputStream odd = new ByteArrayOutputStream();
        add(other.next(0, 0, 0, 8).begin(1, "a", "public", answer).draft(1, 2).draft(1, 2), odd);
        add(other.next(5, 1, 1, 8).begin(2, "b", "public", new int[0]).end(2, EndReason.ABORTED, -1), odd);
        add(
                other.next(5, 1, 1, 8)
                        .extend(1, 64, answer, 0, 12)
                        .extend(1, 0, answer, 0, 1)
                        .draft(1, 2),
                odd);
        return Stream.of(session.toByteArray(), odd.toByteArray());
    }

    private static void add(StepWriter step, ByteArrayOutputStream into) {
        ByteBuffer bytes = step.frame().end();
        byte[] sent = new byte[bytes.remaining()];
        bytes.get(sent);
        into.writeBytes(sent);
    }

    @MethodSource("seeds")
    @FuzzTest
    void stepsAreAnsweredOrRefused(byte[] sent) throws Exception {
        FrameWriter reply = new FrameWriter();
        try (FrameChannel channel = new FrameChannel(new BytesChannel(sent, Integer.MAX_VALUE));
                EngineSteps steps = new EngineSteps(client, HELLO, "public", BudgetChoice.measured(), this)) {
            for (FrameChannel.Frame frame = channel.read(); frame != null; frame = channel.read()) {
                steps.step(StepFrame.read(frame), 0, reply);
                assertThat(reply.end().remaining()).isPositive();
                steps.afterReply();
                assertThat(steps.running()).isBetween(0, HELLO.requestsMax());
            }
        } catch (RefusedEngineException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        } catch (EOFException cut) {
            assertThat(cut).hasMessageContaining("in the middle of a frame");
        }
    }

    @Override
    public void drafted(long nanos) {
        answered = 0;
    }

    @Override
    public void came(DraftAnswer what) {
        assertThat(++answered).isLessThanOrEqualTo(HELLO.requestsMax());
    }

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        if (request.shared()) {
            client.remember(request.served());
            client.report(request.served());
        }
    }
}
