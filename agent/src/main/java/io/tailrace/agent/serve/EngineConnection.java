package io.tailrace.agent.serve;

import io.tailrace.agent.engine.DraftAnswer;
import io.tailrace.agent.engine.EngineSteps;
import io.tailrace.agent.engine.WarmUp;
import io.tailrace.agent.protocol.FrameChannel;
import io.tailrace.agent.protocol.FrameFormat;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.schemas.LaneId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine's connection, from its HELLO until one of both closes it; a thread of its own serves it. */
final class EngineConnection implements Runnable, EngineSteps.Listener, PatientChannel.Pause {
    private static final Logger LOG = LoggerFactory.getLogger(EngineConnection.class);

    private final PatientChannel socket;
    private final FrameChannel channel;
    private final EngineServer server;
    private final FrameWriter reply = new FrameWriter();
    private final StepRhythm rhythm = new StepRhythm();
    private final HostLoad host = new HostLoad();
    /** Drafts in vain shortly before a step is expected; null until the engine was let in. */
    private WarmUp rehearsal;

    private TailraceClient client;
    /** Name of the engine; null until it has said hello and was let in. */
    private volatile String name;

    private long frameNanos;
    private volatile long heardNanos;
    private volatile boolean silent = true;
    private volatile boolean letIn;
    private volatile int running;
    private final OutstandingReports outstanding = new OutstandingReports();

    /** @param channel taken over; still the caller's if this throws */
    EngineConnection(SocketChannel channel, EngineServer server) throws IOException {
        this.socket = new PatientChannel(channel, this);
        this.channel = new FrameChannel(socket);
        this.server = server;
    }

    /** Its name, for people where it has none yet. */
    String engine() {
        String known = name;
        return known == null ? "an engine" : known;
    }

    boolean isNamed() {
        return name != null;
    }

    void name(String of) {
        name = of;
    }

    /** Whether no frame has come yet. */
    boolean isSilent() {
        return silent;
    }

    /** When the last frame came whose answer the engine took. */
    long heardNanos() {
        return heardNanos;
    }

    void letIn() {
        letIn = true;
    }

    /** Whether it counts as an engine. */
    boolean isLetIn() {
        return letIn;
    }

    private FrameChannel.Frame read() throws IOException, RefusedEngineException {
        FrameChannel.Frame frame = letIn ? channel.read() : channel.readHello();
        frameNanos = server.nanos();
        silent = false;
        return frame;
    }

    /** Whoever has gone meanwhile was heard, but is not there any more. */
    private void answer() throws IOException {
        channel.write(reply);
        heardNanos = frameNanos;
    }

    /** Ends a connection whose engine did not wait: where this process was paused many of them may wait for it. */
    private void requireThere() throws IOException {
        if (channel.holdsMore() || socket.readNow(ByteBuffer.allocate(1)) != 0) {
            throw new ClosedChannelException();
        }
    }

    /** Requests that run. */
    int running() {
        return running;
    }

    @Override
    public void run() {
        try (channel) {
            serve();
        } catch (RefusedEngineException e) {
            LOG.warn("{} is refused: {}", engine(), e.getMessage());
        } catch (ClosedChannelException e) {
            LOG.debug("{} was closed", engine());
        } catch (IOException e) {
            LOG.info("{} has gone: {}", engine(), e.toString());
        } finally {
            server.gone(this, client);
        }
    }

    private void serve() throws IOException, RefusedEngineException {
        try {
            FrameChannel.Frame first = read();
            if (first == null) {
                return;
            }
            Hello said = Hello.read(first);
            requireThere();
            client = server.admit(this, said);
            requireThere();
            reply.begin(FrameFormat.WELCOME, 0)
                    .u32(FrameFormat.VERSION)
                    .string(server.greeting())
                    .string(server.scope());
            answer();
            server.name(this, said);
            Hello hello = said.named(engine());
            LOG.info(
                    "{} serves {}@{}, at most {} requests at once",
                    engine(),
                    hello.model(),
                    hello.revision(),
                    hello.requestsMax());
            steps(hello);
        } catch (RefusedEngineException e) {
            channel.write(reply.begin(FrameFormat.REFUSED, channel.sequence())
                    .u32(e.refusal().code())
                    .string(e.getMessage()));
            throw e;
        }
    }

    private void steps(Hello hello) throws IOException, RefusedEngineException {
        try (WarmUp warmUp = new WarmUp();
                EngineSteps steps =
                        new EngineSteps(client, hello, server.scope(), server.budgets(hello.engine()), this)) {
            rehearsal = warmUp;
            for (FrameChannel.Frame frame = read(); frame != null; frame = read()) {
                StepFrame step = StepFrame.read(frame);
                if (step.requests() > 0) {
                    rhythm.heard(frameNanos);
                }
                steps.step(step, outstanding.safeUpTo(step.sequence() - 1), reply);
                answer(steps);
                running = steps.running();
            }
            LOG.info("{} has closed its connection", engine());
        } catch (RejectedExecutionException e) {
            throw new RefusedEngineException(RefusedEngineException.Refusal.STOPPING, e.getMessage());
        } catch (RuntimeException e) {
            server.broke(this, e);
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.BROKEN_FRAME,
                    "the agent broke at this STEP, its log says where: %s".formatted(e));
        }
    }

    /** What ended in the step is remembered and reported, also where the engine has gone before the reply. */
    private void answer(EngineSteps steps) throws IOException {
        try {
            answer();
        } catch (IOException | RuntimeException first) {
            try {
                steps.afterReply();
            } catch (RejectedExecutionException stopping) {
                first.addSuppressed(stopping);
            } catch (RuntimeException bug) {
                server.broke(this, bug);
                first.addSuppressed(bug);
            }
            throw first;
        }
        steps.afterReply();
    }

    @Override
    public long millis() {
        return rehearsal == null ? 0 : rhythm.millisToRehearsal(server.nanos());
    }

    /**
     * What the processor's caches hold of drafting another program has replaced since the last step. Where it takes nothing from the engine, a
     * rehearsal brings it back.
     */
    @Override
    public void use() {
        rhythm.rehearsed();
        if (host.hasSpare(System.nanoTime())) {
            rehearsal.step();
        }
    }

    @Override
    public void drafted(long nanos) {
        server.metrics().drafted(nanos);
    }

    @Override
    public void came(DraftAnswer what) {
        rhythm.came(what);
        server.metrics().came(what);
    }

    @Override
    public void unused() {
        server.metrics().unused();
    }

    @Override
    public void ended(Hello hello, EngineSteps.Ended request, long sequence) {
        server.metrics().served(request);
        if (!request.shared()) {
            return;
        }
        if (!client.isFollowed(LaneId.of(request.served().lane()).scope())) {
            server.metrics().unshared();
        }
        client.remember(request.served());
        outstanding.add(sequence);
        ServedRequest served = request.served();
        int prompt = served.prompt() == null ? 0 : served.prompt().length;
        server.report(
                prompt + served.decoded().output().length,
                () -> client.report(served),
                () -> outstanding.done(sequence));
    }

    void closeOrSay() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("{} cannot be closed", engine(), e);
        }
    }
}
