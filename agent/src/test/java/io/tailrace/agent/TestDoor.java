package io.tailrace.agent;

import io.tailrace.agent.protocol.FrameFormat;
import io.tailrace.agent.protocol.FrameWriter;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A door as dull as can be: it writes and reads frames by the protocol's page alone, and shares no reading code with the agent. */
public final class TestDoor implements AutoCloseable {
    /** A draft as it came. */
    public record Draft(int request, int[] tokens, int[] parents, float[] probabilities, int[] sources) {}

    /** DRAFTS as it came. */
    public record Reply(long sequence, long reports, int flags, List<Draft> drafts) {}

    /** REFUSED as it came. */
    public record Refusal(long sequence, int code, String words) {}

    private static final long STEP_NANOS = 10_000_000;

    private final SocketChannel channel;
    private final FrameWriter frame = new FrameWriter();
    private final List<Runnable> operations = new ArrayList<>();
    private long sequence;
    private String scope;

    public TestDoor(Path socket) throws IOException {
        this(UnixDomainSocketAddress.of(socket));
    }

    public TestDoor(SocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
    }

    /** Says hello; the words of the refusal, or null. */
    public String hello(String engine, int vocabulary, String model, String tokenizer) throws IOException {
        sayHello(engine, vocabulary, model, tokenizer);
        return welcome();
    }

    /** Says hello and does not wait for {@link #welcome}. */
    public void sayHello(String engine, int vocabulary, String model, String tokenizer) throws IOException {
        writeHello(engine, vocabulary, model, tokenizer);
        send();
    }

    /** Says hello and a step in one write, as no door may. */
    public void sayHelloAndStep(String engine, int vocabulary, String model, String tokenizer) throws IOException {
        writeHello(engine, vocabulary, model, tokenizer);
        ByteBuffer hello = copy(frame.end());
        ByteBuffer step = stepBytes();
        sendRaw(ByteBuffer.allocate(hello.remaining() + step.remaining())
                .put(hello)
                .put(step)
                .flip());
    }

    private void writeHello(String engine, int vocabulary, String model, String tokenizer) {
        frame.begin(FrameFormat.HELLO, 0)
                .u32(FrameFormat.VERSION)
                .u32(vocabulary)
                .u32(64)
                .u32(16)
                .u32(0)
                .string(engine)
                .string(model)
                .string("1")
                .string(tokenizer);
    }

    /** The answer to hello: the words of the refusal, or null. */
    public String welcome() throws IOException {
        ByteBuffer answer = read();
        if (answer.getInt(4) == FrameFormat.REFUSED) {
            return words(answer, 20);
        }
        int agentBytes = answer.getInt(20);
        scope = words(answer, 24 + agentBytes + (-agentBytes & 3));
        return null;
    }

    /** Scope of requests that name none, as the agent has said with its welcome. */
    public String scope() {
        return scope;
    }

    public TestDoor begin(int request, String id, String scope, int promptTokens, int... tokens) {
        return begin(request, id, scope, false, promptTokens, tokens);
    }

    public TestDoor begin(int request, String id, String scope, boolean secret, int promptTokens, int... tokens) {
        operations.add(() -> {
            frame.u32(1).u32(request).u32(secret ? FrameFormat.PRIVATE : 0).u32(promptTokens);
            frame.i64(1_000).f32(0).string(id).string(scope);
            tokens(tokens);
        });
        return this;
    }

    public TestDoor extend(int request, int verified, int... said) {
        operations.add(() -> {
            frame.u32(2).u32(request).u32(verified);
            tokens(said);
        });
        return this;
    }

    public TestDoor end(int request, int reason) {
        operations.add(() -> frame.u32(3).u32(request).u32(reason).i64(System.currentTimeMillis()));
        return this;
    }

    public TestDoor draft(int request, int most) {
        operations.add(() -> frame.u32(4).u32(request).u32(most));
        return this;
    }

    /** Sends the step and waits for its drafts. */
    public Reply step(long nanos, int requests, int rows) throws IOException {
        frame.begin(FrameFormat.STEP, ++sequence)
                .i64(nanos)
                .u32(requests)
                .u32(rows)
                .u32(1 << 20)
                .u32(operations.size());
        operations.forEach(Runnable::run);
        operations.clear();
        send();
        return reply(read());
    }

    /** Serves a request to its end as an engine does whose model says the answer; returns its steps. */
    public int serve(String id, String scope, int... answer) throws IOException {
        Reply reply = begin(1, id, scope, 3, prompt(answer[0])).draft(1, 16).step(0, 0, 0);
        int at = 1;
        int steps = 1;
        while (at < answer.length) {
            int[] draft = reply.drafts().get(0).tokens();
            int right = 0;
            while (right < draft.length && at + right < answer.length - 1 && draft[right] == answer[at + right]) {
                right++;
            }
            extend(1, draft.length, Arrays.copyOfRange(answer, at, at + right + 1));
            at += right + 1;
            steps++;
            if (at < answer.length) {
                draft(1, 16);
            } else {
                end(1, 1);
            }
            reply = step(STEP_NANOS, 1, 1 + draft.length);
        }
        return steps;
    }

    /** A prompt of three tokens, and the first token that was said after it. */
    public static int[] prompt(int first) {
        return new int[] {7, 8, 9, first};
    }

    /** What ended is remembered behind the reply, and before the next one. */
    public void awaitRemembered() throws IOException {
        step(0, 0, 0);
    }

    /** Sends bytes as they are. */
    public void sendRaw(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** The step that {@link #step} would send, as bytes. */
    public ByteBuffer stepBytes() {
        frame.begin(FrameFormat.STEP, ++sequence).i64(0).u32(0).u32(0).u32(64).u32(operations.size());
        operations.forEach(Runnable::run);
        operations.clear();
        return copy(frame.end());
    }

    private static ByteBuffer copy(ByteBuffer whole) {
        return ByteBuffer.allocate(whole.remaining())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(whole)
                .flip();
    }

    /** The next frame's words if it is a refusal, else null; {@link EOFException} if the agent has closed. */
    public String refusal() throws IOException {
        Refusal refused = refused();
        return refused == null ? null : refused.words();
    }

    /** The next frame if it is a refusal, else null; {@link EOFException} if the agent has closed. */
    public Refusal refused() throws IOException {
        ByteBuffer answer = read();
        return answer.getInt(4) == FrameFormat.REFUSED
                ? new Refusal(answer.getLong(8), answer.getInt(16), words(answer, 20))
                : null;
    }

    private void tokens(int... tokens) {
        frame.u32(tokens.length);
        for (int token : tokens) {
            frame.u32(token);
        }
    }

    private void send() throws IOException {
        sendRaw(frame.end());
    }

    private static Reply reply(ByteBuffer from) {
        if (from.getInt(4) == FrameFormat.REFUSED) {
            throw new IllegalStateException(words(from, 20));
        }
        from.position(16);
        long reports = from.getLong();
        int flags = from.getInt();
        int count = from.getInt();
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int request = from.getInt();
            int size = from.getInt();
            int[] tokens = ints(from, size);
            int[] parents = ints(from, size);
            float[] probabilities = new float[size];
            for (int node = 0; node < size; node++) {
                probabilities[node] = from.getFloat();
            }
            drafts.add(new Draft(request, tokens, parents, probabilities, ints(from, size)));
        }
        if (from.hasRemaining()) {
            throw new IllegalStateException(from.remaining() + " bytes too many");
        }
        return new Reply(from.getLong(8), reports, flags, drafts);
    }

    private static int[] ints(ByteBuffer from, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = from.getInt();
        }
        return values;
    }

    private static String words(ByteBuffer from, int at) {
        byte[] bytes = new byte[from.getInt(at)];
        from.position(at + 4).get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private ByteBuffer read() throws IOException {
        ByteBuffer header = fill(4);
        ByteBuffer rest = fill(12 + header.getInt(0));
        return ByteBuffer.allocate(4 + rest.remaining())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(header)
                .put(rest)
                .flip();
    }

    private ByteBuffer fill(int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the agent has closed");
            }
        }
        return into.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
